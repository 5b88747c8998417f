package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"egod/internal/ops"
	"egod/internal/report"
	"egod/internal/skills"
)

// validateFormats are the values of --format.
var validateFormats = []string{"text", "json", "github", "sarif"}

func (c *command) validateCommand() *cobra.Command {
	var format string
	cmd := c.withSettings(&cobra.Command{
		Use:   "validate [PATH...]",
		Short: "Look for faults in packs",
		Long: `Look for faults in pack directories and in directories of packs; in all roots
when no path is named. Tools are compiled and not run. The exit code is 1 when
there are errors, and 0 when there are at most warnings.`,
		Example: `  egod validate ./learnings
  egod validate --format sarif ./learnings > egod.sarif`,
		RunE: func(cmd *cobra.Command, paths []string) error {
			if err := c.chooseFormat(cmd, &format); err != nil {
				return err
			}
			return c.withChecker(cmd, func(ctx context.Context, base skills.Config) error {
				result, err := c.validate(ctx, base, paths)
				if err != nil {
					return err
				}
				return c.printFindings(result, format)
			})
		},
	})
	cmd.Flags().StringVar(&format, "format", "text", "how findings are printed: "+strings.Join(validateFormats, ", "))
	return cmd
}

// chooseFormat lets --json stand for --format json.
func (c *command) chooseFormat(cmd *cobra.Command, format *string) error {
	if !slices.Contains(validateFormats, *format) {
		return usageError("use one of "+strings.Join(validateFormats, ", "), "--format %q is not known", *format)
	}
	if c.json && cmd.Flags().Changed("format") && *format != "json" {
		return usageError("leave one of them out", "--json and --format %s contradict each other", *format)
	}
	if c.json {
		*format = "json"
	}
	return nil
}

// withChecker runs a function that needs packs checked and nothing else of the
// daemon, with what its store needs besides the roots.
func (c *command) withChecker(cmd *cobra.Command, do func(context.Context, skills.Config) error) (err error) {
	warnings, err := c.prepareOnce(cmd)
	if err != nil {
		return err
	}
	secrets, more := c.hiddenValues()
	for _, w := range append(warnings, more...) {
		fmt.Fprintf(c.stderr, "egod: warning: %s\n", w)
	}
	logger, closeLog, err := c.newLogger(secrets)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeLog()) }()
	runner, err := c.newRunner(logger)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, runner.Close()) }()
	ctx, stop := watchSignals(cmd.Context(), c.exit)
	defer stop()
	return do(ctx, skills.Config{Check: ops.SourceCheck(runner), ChecksAtOnce: runtime.GOMAXPROCS(0), Logger: logger})
}

// validate looks at the paths, or at all roots when there are none.
func (c *command) validate(ctx context.Context, base skills.Config, paths []string) (skills.Report, error) {
	if len(paths) == 0 {
		return c.validateRoots(ctx, base)
	}
	var findings []skills.Diagnostic
	packs := 0
	for _, path := range paths {
		one, err := skills.Validate(ctx, path, base.Check, skills.Limits{})
		if err != nil {
			return skills.Report{}, pathError(err)
		}
		packs += one.Packs
		for _, d := range one.Diagnostics {
			if !slices.Contains(findings, d) { // a path may be below another
				findings = append(findings, d)
			}
		}
	}
	return skills.NewReport(packs, findings), nil
}

// pathError makes a wrong path a wrong command line.
func pathError(err error) error {
	var path *skills.PathError
	if errors.As(err, &path) {
		return usageError("name a pack directory or a directory of packs", "%v", path)
	}
	return err
}

func (c *command) validateRoots(ctx context.Context, base skills.Config) (skills.Report, error) {
	roots, _, err := c.searchRoots()
	if err != nil {
		return skills.Report{}, err
	}
	for _, w := range c.missingRoots(roots) {
		fmt.Fprintf(c.stderr, "egod: warning: %s\n", w)
	}
	base.Roots, base.Poll = roots, -1
	store, err := skills.Open(ctx, base)
	if err != nil {
		return skills.Report{}, err
	}
	defer store.Close()
	if err := store.Settle(ctx); err != nil {
		return skills.Report{}, err
	}
	result, _ := store.Catalog().Validate("")
	return result, nil
}

// printFindings prints a report, and turns errors in it into the exit code.
func (c *command) printFindings(result skills.Report, format string) error {
	dir, err := c.getwd()
	if err != nil {
		return fmt.Errorf("finding the working directory: %w", err)
	}
	switch format {
	case "json":
		err = c.printJSON(result)
	case "github":
		err = report.GitHub(c.stdout, result.Diagnostics, dir)
	case "sarif":
		err = report.SARIF(c.stdout, result.Diagnostics, dir, version)
	default:
		err = c.printText(result, dir)
	}
	if err == nil && !result.OK {
		return &exitError{code: exitFailure}
	}
	return err
}

func (c *command) printText(result skills.Report, dir string) error {
	if err := report.Text(c.stdout, result.Diagnostics, c.style(c.stdout, dir)); err != nil {
		return err
	}
	_, err := io.WriteString(c.stdout, report.Count(result)+"\n")
	return err
}

// style is how text is written to a stream: with colours on a terminal, unless
// NO_COLOR asks for none.
func (c *command) style(out *os.File, dir string) report.Style {
	term := c.lookupEnv("TERM")
	return report.Style{Dir: dir, Color: typed(out) && term != "" && term != "dumb" && c.lookupEnv("NO_COLOR") == ""}
}
