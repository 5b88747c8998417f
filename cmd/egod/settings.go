package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"egod/internal/browser"
	"egod/internal/ops"
	"egod/internal/skills"
)

// settings are the flags of serve and of every command that needs the same
// parts. Each is also an environment variable, EGOD_ and the flag's name in
// capitals; a flag wins.
type settings struct {
	roots     []string
	workspace string
	builtin   bool
	watch     string

	framing         string
	maxMessageBytes int64
	drainTimeout    time.Duration
	parentPID       int

	chrome      string
	chromeArgs  []string
	browserURLs []string
	headed      bool
	profile     string
	idleTimeout time.Duration
	noSandbox   bool
	isolation   string
	spaceIdle   time.Duration
	dialog      string

	toolTimeout     time.Duration
	toolMemory      int64
	maxRuns         int
	workers         int
	strictResults   bool
	allowPrivateNet bool
	allowAnyOrigin  bool
	legacyHelpers   bool
	allowFS         []string
	secrets         []string
	policy          string
	auditLog        string

	logLevel  string
	logFormat string
	logFile   string
}

// register adds the flags to a set, with their defaults.
func (s *settings) register(f *pflag.FlagSet) {
	f.StringArrayVar(&s.roots, "root", nil, "directory of packs; may be given more than once, highest first")
	f.StringVar(&s.workspace, "workspace", "", "directory whose skills/ego-browser/learnings is the root when none is given (default: the working directory)")
	f.BoolVar(&s.builtin, "builtin", true, "serve the packs embedded in the binary too")

	f.StringVar(&s.watch, "watch", "auto", "how changes of packs are noticed: auto (events, and polling where they do not tell all), events or poll")

	f.StringVar(&s.framing, "framing", "auto", "how messages are framed: auto, line or header")
	f.Int64Var(&s.maxMessageBytes, "max-message-bytes", 64<<20, "largest message taken, in bytes")
	f.Var((*durationFlag)(durationDefault(&s.drainTimeout, 5*time.Second)), "drain-timeout", "how long requests may go on after the end of input")
	f.IntVar(&s.parentPID, "parent-pid", 0, "end when this process ends")

	f.StringVar(&s.chrome, "chrome", "", "path of the Chrome or Chromium to start (default: searched in the usual places)")
	f.StringArrayVar(&s.chromeArgs, "chrome-arg", nil, "argument passed to Chrome as it is; may be given more than once")
	f.StringArrayVar(&s.browserURLs, "browser-url", nil, "ws:// or http:// address of a running Chrome to use instead of starting one; of several, the first that answers")
	f.BoolVar(&s.headed, "headed", false, "show the browser's window")
	f.StringVar(&s.profile, "profile", "", "profile directory to keep (default: private and temporary)")
	f.Var((*durationFlag)(durationDefault(&s.idleTimeout, 10*time.Minute)), "browser-idle-timeout", "close Chrome after this time without use; 0 keeps it")
	f.BoolVar(&s.noSandbox, "no-sandbox", false, "start Chrome without its sandbox (on by itself for root)")
	f.StringVar(&s.isolation, "space-isolation", "isolated", "what task spaces share: isolated (cookies of their own) or shared (only tabs of their own)")
	f.Var((*durationFlag)(durationDefault(&s.spaceIdle, time.Hour)), "space-idle-timeout", "close a task space after this time without use; 0 keeps it")
	f.StringVar(&s.dialog, "dialog", "dismiss", "what happens to dialogs of pages: dismiss, accept or manual")

	f.Var((*durationFlag)(durationDefault(&s.toolTimeout, ops.DefaultToolTimeout)), "tool-timeout", "deadline of a run that names none")
	f.Var((*sizeFlag)(sizeDefault(&s.toolMemory, 256<<20)), "tool-memory", "memory a node tool may use, such as 256MiB")
	f.IntVar(&s.maxRuns, "max-concurrent-runs", ops.DefaultMaxConcurrentRuns, "runs under way at once")
	f.IntVar(&s.workers, "workers", 2, "worker processes kept ready")
	f.BoolVar(&s.strictResults, "strict-results", false, "a result of another type than declared is an error")
	f.StringArrayVar(&s.allowFS, "allow-fs", nil, "directory whose files tools and scripts may use; with :ro read only; may be given more than once")
	f.BoolVar(&s.allowPrivateNet, "allow-private-net", false, "let fetch.server connect to this machine and its private networks")
	f.BoolVar(&s.legacyHelpers, "legacy-helpers", false, "give scripts the flat helpers of the older dialect too (click, js, wait in seconds, ...)")
	f.BoolVar(&s.allowAnyOrigin, "allow-any-origin", false, "let calls with anyOrigin run browser tools on any page")

	f.StringArrayVar(&s.secrets, "secret", nil, "environment variable whose value never shows in logs and errors; may be given more than once")

	f.StringVar(&s.policy, "policy", "", "JSON file that says what everybody and single packs may do (docs/policy.md)")
	f.StringVar(&s.auditLog, "audit-log", "", "append a JSON line to this file for everything that is asked or refused")

	f.StringVar(&s.logLevel, "log-level", "info", "debug, info, warn or error")
	f.StringVar(&s.logFormat, "log-format", "text", "text or json")
	f.StringVar(&s.logFile, "log-file", "", "append the log to this file instead of stderr")
}

// check refuses values that no part could work with.
func (s *settings) check() error {
	for _, choice := range []struct {
		flag, value string
		allowed     []string
	}{
		{"watch", s.watch, []string{"auto", "events", "poll"}},
		{"framing", s.framing, []string{"auto", "line", "header"}},
		{"space-isolation", s.isolation, []string{"isolated", "shared"}},
		{"dialog", s.dialog, []string{"dismiss", "accept", "manual"}},
		{"log-level", s.logLevel, []string{"debug", "info", "warn", "error"}},
		{"log-format", s.logFormat, []string{"text", "json"}},
	} {
		if !slices.Contains(choice.allowed, choice.value) {
			return usageError("use one of "+strings.Join(choice.allowed, ", "), "--%s %q is not known", choice.flag, choice.value)
		}
	}
	for _, address := range s.browserURLs {
		if err := browser.CheckURL(address); err != nil {
			return usageError("give --browser-url http://127.0.0.1:9222, or the ws:// address of the browser", "--browser-url: %v", err)
		}
	}
	for _, bound := range []struct {
		flag  string
		value int64
	}{
		{"max-message-bytes", s.maxMessageBytes}, {"max-concurrent-runs", int64(s.maxRuns)},
		{"workers", int64(s.workers)}, {"tool-memory", s.toolMemory}, {"tool-timeout", int64(s.toolTimeout)},
	} {
		if bound.value <= 0 {
			return usageError("", "--%s must be more than zero", bound.flag)
		}
	}
	return nil
}

// idleBrowserFlags are the flags about starting Chrome that were given although a
// running one is used.
func (s *settings) idleBrowserFlags() (names []string) {
	if len(s.browserURLs) == 0 {
		return nil
	}
	for _, flag := range []struct {
		name  string
		given bool
	}{
		{"chrome", s.chrome != ""}, {"chrome-arg", len(s.chromeArgs) > 0}, {"headed", s.headed},
		{"profile", s.profile != ""}, {"no-sandbox", s.noSandbox},
	} {
		if flag.given {
			names = append(names, flag.name)
		}
	}
	return names
}

// follow says in a store's configuration how the packs are followed.
func (s *settings) follow(cfg skills.Config) skills.Config {
	switch s.watch {
	case "poll":
		cfg.Poll = skills.PollEvery
	case "events":
		cfg.EventsOnly = true
	}
	return cfg
}

const envPrefix = "EGOD_"

// envName is the environment variable of a flag.
func envName(flag string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// applyEnv sets flags that the command line left alone from the environment.
// It returns a warning for every EGOD_ variable that is no flag. Variables of
// repeatable flags hold one value a line; EGOD_ROOT may also be a path list.
func applyEnv(f *pflag.FlagSet, env []string) (warnings []string, err error) {
	byVariable := make(map[string]*pflag.Flag)
	var variables []string
	f.VisitAll(func(flag *pflag.Flag) {
		byVariable[envName(flag.Name)] = flag
		variables = append(variables, envName(flag.Name))
	})
	for _, entry := range env {
		name, text, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, envPrefix) {
			continue
		}
		flag, known := byVariable[name]
		if !known {
			warning := fmt.Sprintf("unknown environment variable %s is ignored", name)
			if near := skills.Suggest(name, variables); len(near) > 0 {
				warning += "; did you mean " + near[0] + "?"
			}
			warnings = append(warnings, warning)
			continue
		}
		if flag.Changed || text == "" {
			continue
		}
		for _, value := range envValues(flag, text) {
			var invalid *pflag.InvalidValueError
			err := f.Set(flag.Name, value)
			if errors.As(err, &invalid) {
				err = valueError(flag, value, invalid.Unwrap())
			}
			if err != nil {
				return warnings, usageError("", "%s: %v", name, err)
			}
		}
	}
	return warnings, nil
}

func envValues(flag *pflag.Flag, text string) []string {
	if flag.Value.Type() != "stringArray" {
		return []string{text}
	}
	if flag.Name == "root" && !strings.Contains(text, "\n") {
		text = strings.ReplaceAll(text, string(os.PathListSeparator), "\n")
	}
	return strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
}

// durationFlag reads Go durations ("90s") and plain milliseconds.
type durationFlag time.Duration

func durationDefault(d *time.Duration, value time.Duration) *time.Duration {
	*d = value
	return d
}

func (d *durationFlag) String() string { return time.Duration(*d).String() }
func (d *durationFlag) Type() string   { return "duration" }

func (d *durationFlag) Set(text string) error {
	if ms, err := strconv.ParseInt(text, 10, 64); err == nil && ms >= 0 && ms < int64(1<<63-1)/int64(time.Millisecond) {
		*d = durationFlag(time.Duration(ms) * time.Millisecond)
		return nil
	}
	parsed, err := time.ParseDuration(text)
	if err != nil || parsed < 0 {
		return fmt.Errorf("%q is not a duration: write 90s, 2m or plain milliseconds", text)
	}
	*d = durationFlag(parsed)
	return nil
}

// sizeFlag reads bytes, with an optional unit: 268435456, 256MiB, 256M.
type sizeFlag int64

func sizeDefault(n *int64, value int64) *int64 {
	*n = value
	return n
}

func (n *sizeFlag) String() string { return fmt.Sprintf("%dMiB", int64(*n)>>20) }
func (n *sizeFlag) Type() string   { return "bytes" }

func (n *sizeFlag) Set(text string) error {
	digits := strings.TrimRight(text, "KMGiBkmgb")
	shift, known := map[string]uint{"": 0, "B": 0, "K": 10, "KIB": 10, "KB": 10, "M": 20, "MIB": 20, "MB": 20, "G": 30, "GIB": 30, "GB": 30}[strings.ToUpper(text[len(digits):])]
	count, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || !known || count < 0 || count > (1<<62)>>shift {
		return fmt.Errorf("%q is not a size: write bytes, or 256MiB", text)
	}
	*n = sizeFlag(count << shift)
	return nil
}
