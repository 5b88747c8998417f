package main

import (
	"fmt"
	"log/slog"
	"os"

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
			return nil, closeLog, usageError("name a file that can be written", "--log-file: %v", err)
		}
		out, closeLog = file, file.Close
	}
	lines := newLogWriter(out, secrets)
	closeFile := closeLog
	closeLog = func() error { lines.close(); return closeFile() }
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
	for _, name := range c.secretNames() {
		value := c.lookupEnv(name)
		if value == "" {
			warnings = append(warnings, fmt.Sprintf("--secret %s hides nothing: the variable is not set", name))
			continue
		}
		values = append(values, value)
	}
	return ops.NewSecrets(values), warnings
}
