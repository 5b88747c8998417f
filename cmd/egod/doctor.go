package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"egod/internal/browser"
	jsruntime "egod/internal/runtime"
	"egod/internal/skills"
	"egod/internal/video"
)

// finding is one line of the doctor's report.
type finding struct {
	Check  string `json:"check"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
	Hint   string `json:"hint,omitempty"`
	Ms     int64  `json:"ms"`
	// Optional is something that only some calls need: egod is well without it.
	Optional bool `json:"optional,omitempty"`
}

// doctorCommand tries the parts exactly as a call would: a doctor that looks
// another way tells another story.
func (c *command) doctorCommand() *cobra.Command {
	return c.withSettings(&cobra.Command{
		Use:     "doctor",
		Short:   "Try the packs, the workers, Chrome and ffmpeg, and tell what is wrong",
		Example: "  egod doctor --chrome /usr/bin/chromium",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := c.prepareOnce(cmd); err != nil {
				return err
			}
			ctx, stop := watchSignals(cmd.Context(), c.exit)
			defer stop()
			d, err := c.start(ctx, nil)
			if err != nil {
				return err
			}
			report := []finding{
				check("packs", func() (string, error) { return d.tryPacks() }),
				check("policy", func() (string, error) { return c.tryPolicy(d) }),
				check("worker", func() (string, error) { return d.tryWorker(ctx) }),
				check("browser", func() (string, error) { return d.tryBrowser(ctx) }),
				optional(check("ffmpeg", func() (string, error) { return tryFFmpeg(ctx, c.lookupEnv(video.PathVariable)) })),
			}
			closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
			defer cancel()
			report = append(report, check("shutdown", func() (string, error) {
				return "every part ended", d.close(closing)
			}))
			return c.printReport(report)
		},
	})
}

func check(name string, try func() (string, error)) finding {
	start := time.Now()
	detail, err := try()
	f := finding{Check: name, OK: err == nil, Detail: detail, Ms: time.Since(start).Milliseconds()}
	if err != nil {
		f.Detail, f.Hint = err.Error(), hintOf(err)
	}
	return f
}

func optional(f finding) finding {
	f.Optional = true
	return f
}

func (c *command) printReport(report []finding) error {
	failed := false
	for _, f := range report {
		failed = failed || !f.OK && !f.Optional
	}
	if c.json {
		if err := c.printJSON(map[string]any{"ok": !failed, "checks": report}); err != nil {
			return err
		}
	} else {
		for _, f := range report {
			mark := "ok  "
			switch {
			case !f.OK && f.Optional:
				mark = "none"
			case !f.OK:
				mark = "FAIL"
			}
			fmt.Fprintf(c.stdout, "%s  %-9s %s (%d ms)\n", mark, f.Check, f.Detail, f.Ms)
			if f.Hint != "" {
				fmt.Fprintf(c.stdout, "                hint: %s\n", f.Hint)
			}
		}
	}
	if failed {
		return &exitError{code: exitFailure}
	}
	return nil
}

func (d *daemon) tryPacks() (string, error) {
	catalog := d.index.current().Catalog()
	var broken []string
	for _, pack := range catalog.Packs() {
		if pack.Status == skills.StatusBroken {
			broken = append(broken, pack.ID)
		}
	}
	if len(broken) > 0 {
		return "", &exitError{code: exitFailure, err: fmt.Errorf("%d packs did not load: %s", len(broken), strings.Join(broken, ", ")),
			hint: "egod validate shows every finding"}
	}
	return fmt.Sprintf("%d packs in %s", len(catalog.Packs()), strings.Join(catalog.Roots(), ", ")), nil
}

// tryPolicy tells of the policy file; its format was checked when it was read.
func (c *command) tryPolicy(d *daemon) (string, error) {
	if c.policyFile == nil {
		return "no policy file", nil
	}
	if strange := c.strangers(d.index.current().Catalog()); len(strange) > 0 {
		return "", &exitError{code: exitFailure, err: errors.New(strings.Join(strange, ", ")), hint: "egod list shows the packs, egod policy what holds"}
	}
	return fmt.Sprintf("%s, with entries for %d packs", c.policyFile.Path, len(c.policyFile.PackIDs())), nil
}

// noHost refuses the host calls of the doctor's own program, which makes none.
type noHost struct{}

func (noHost) Call(_ context.Context, name string, _ json.RawMessage) (json.RawMessage, error) {
	return nil, fmt.Errorf("the doctor's program called %s", name)
}

func (d *daemon) tryWorker(ctx context.Context) (string, error) {
	result, err := d.runner.Run(ctx, jsruntime.Request{
		Program: &jsruntime.Program{
			Kind: jsruntime.Module, Site: "doctor", Entry: "tools/add.js", Export: "add", Hash: "doctor",
			Files: map[string]string{"tools/add.js": "export const add = (ctx, { a, b }) => a + b;\n"},
		},
		Args: json.RawMessage(`{"a":20,"b":22}`), Host: noHost{}, Timeout: 10 * time.Second,
	})
	if err != nil {
		return "", err
	}
	if string(result.Value) != "42" {
		return "", fmt.Errorf("a worker added 20 and 22 to %s", result.Value)
	}
	return "a worker ran a tool", nil
}

func (d *daemon) tryBrowser(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	page, err := d.browser.Space("doctor").Page(ctx)
	if err != nil {
		return "", browserHint(err)
	}
	value, err := page.Evaluate(ctx, browser.Script{Expression: "navigator.userAgent"})
	if err != nil {
		return "", browserHint(err)
	}
	return fmt.Sprintf("%s answers as %s", d.browser.Where(), value), nil
}

// browserHint carries the hint of a browser that is not there to the report.
func browserHint(err error) error {
	var unavailable *browser.UnavailableError
	if errors.As(err, &unavailable) {
		return &exitError{code: exitFailure, err: err, hint: unavailable.Hint}
	}
	return err
}

// tryFFmpeg asks the ffmpeg that page.screencast would run whether it can make films.
func tryFFmpeg(ctx context.Context, configured string) (string, error) {
	path, err := video.Find(configured)
	if err == nil {
		err = video.Check(ctx, path)
	}
	var missing *video.MissingError
	if errors.As(err, &missing) {
		return "", &exitError{code: exitFailure, err: err, hint: missing.Hint}
	}
	return path + " makes films for page.screencast", err
}
