package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync/atomic"

	"egod/internal/ops"
)

// newLogger opens the log: stderr, or a file that is appended to. No secret
// reaches it. closeLog is never nil.
func (c *command) newLogger(secrets *ops.Secrets) (logger *slog.Logger, closeLog func() error, err error) {
	out, closeLog := c.stderr, func() error { return nil }
	var level slog.Level
	if err := level.UnmarshalText([]byte(c.settings.logLevel)); err != nil {
		return nil, closeLog, usageError("", "--log-level: %v", err)
	}
	if c.settings.logFile != "" {
		file, err := os.OpenFile(c.settings.logFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, closeLog, fmt.Errorf("opening the log file: %w", err)
		}
		out, closeLog = file, file.Close
	}
	lines := &logWriter{w: out, secrets: secrets}
	options := &slog.HandlerOptions{Level: level}
	if c.settings.logFormat == "json" {
		return slog.New(slog.NewJSONHandler(lines, options)), closeLog, nil
	}
	return slog.New(slog.NewTextHandler(lines, options)), closeLog, nil
}

// hiddenValues are the values of the variables that --secret names, and a
// warning for each that hides nothing.
func (c *command) hiddenValues() (secrets *ops.Secrets, warnings []string) {
	var values []string
	for _, name := range c.settings.secrets {
		value := c.lookupEnv(name)
		if value == "" {
			warnings = append(warnings, fmt.Sprintf("--secret %s hides nothing: the variable is not set", name))
			continue
		}
		values = append(values, value)
	}
	return ops.NewSecrets(values), warnings
}

// logWriter is where the slog handlers write, one line a call. It hides secrets
// in the finished line, wherever they came from, and stops at the first error: a
// log whose reader is gone must neither end the daemon nor be tried again for
// every line.
type logWriter struct {
	w       io.Writer
	secrets *ops.Secrets
	dead    atomic.Bool
}

// Write never reports an error.
func (l *logWriter) Write(line []byte) (int, error) {
	if l.dead.Load() {
		return len(line), nil
	}
	shown := line
	if l.secrets != nil {
		shown = []byte(l.secrets.Text(string(line)))
	}
	if _, err := l.w.Write(shown); err != nil {
		l.dead.Store(true)
	}
	return len(line), nil
}
