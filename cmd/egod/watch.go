package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"egod/internal/report"
	"egod/internal/skills"
)

func (c *command) watchCommand() *cobra.Command {
	return c.withSettings(&cobra.Command{
		Use:   "watch [PATH...]",
		Short: "Look for faults in packs at every save, until interrupted",
		Long: `Look for faults in pack directories and in directories of packs, in all roots
when no path is named, and again at every save. What is found is printed, and
so is which file has no findings any more. With --json each line is the set of
findings of one file, as in the notification skills/diagnostics.`,
		Example: "  egod watch ./learnings",
		RunE: func(cmd *cobra.Command, paths []string) error {
			return c.withChecker(cmd, func(ctx context.Context, base skills.Config) error {
				roots, err := c.rootsAt(paths)
				if err != nil {
					return err
				}
				err = c.watch(ctx, roots, base)
				var stopped *stoppedError
				if errors.As(context.Cause(ctx), &stopped) {
					return nil // that is how watching ends
				}
				return err
			})
		},
	})
}

// rootsAt are the roots to watch for the named paths, and all roots on disk when
// there are none.
func (c *command) rootsAt(paths []string) (roots []skills.Root, err error) {
	for _, path := range paths {
		root, err := skills.RootAt(path)
		if err != nil {
			return nil, pathError(err)
		}
		roots = append(roots, root)
	}
	if len(paths) > 0 {
		return roots, nil
	}
	roots, _, err = c.searchRoots()
	return slices.DeleteFunc(roots, func(r skills.Root) bool { return r.Builtin }), err
}

// watch prints findings and their changes until ctx ends. Whatever happens only
// wakes it: what it prints is the difference between what the packs are once they
// are checked and what it printed before.
func (c *command) watch(ctx context.Context, roots []skills.Root, base skills.Config) error {
	changed := make(chan struct{}, 1)
	base.Roots, base.OnChange = roots, func(skills.Change) {
		select {
		case changed <- struct{}{}:
		default: // a look is due already
		}
	}
	store, err := skills.Open(ctx, c.settings.follow(base))
	if err != nil {
		return err
	}
	defer store.Close()
	dir, err := c.getwd()
	if err != nil {
		return fmt.Errorf("finding the working directory: %w", err)
	}
	printer := findingsPrinter{command: c, style: c.style(c.stdout, dir), shown: map[string]skills.FileDiagnostics{}}
	for first := true; ; first = false {
		if err := store.Settle(ctx); err != nil && ctx.Err() == nil {
			fmt.Fprintf(c.stderr, "egod: warning: %v\n", err)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := printer.print(store.Catalog(), first); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-changed:
		}
	}
}

// findingsPrinter prints how findings change.
type findingsPrinter struct {
	*command
	style report.Style
	// shown is what was printed last of each file, by its address.
	shown map[string]skills.FileDiagnostics
}

func (p *findingsPrinter) print(catalog *skills.Catalog, first bool) error {
	now := map[string]skills.FileDiagnostics{}
	var changes []skills.FileDiagnostics
	for _, file := range catalog.FileDiagnostics() {
		now[file.URI] = file
		if !slices.Equal(p.shown[file.URI].Diagnostics, file.Diagnostics) {
			changes = append(changes, file)
		}
	}
	for uri, file := range p.shown {
		if _, still := now[uri]; !still {
			changes = append(changes, skills.FileDiagnostics{URI: uri, SiteID: file.SiteID, Diagnostics: []skills.Diagnostic{}})
		}
	}
	before := p.shown
	p.shown = now
	for _, file := range changes {
		if err := p.file(file, before[file.URI]); err != nil {
			return err
		}
	}
	if p.json || len(changes) == 0 && !first {
		return nil
	}
	result, _ := catalog.Validate("")
	_, err := fmt.Fprintln(p.stdout, report.Count(result))
	return err
}

func (p *findingsPrinter) file(now, before skills.FileDiagnostics) error {
	switch {
	case p.json:
		return json.NewEncoder(p.stdout).Encode(now)
	case len(now.Diagnostics) == 0:
		return report.Cleared(p.stdout, before.Diagnostics[0], p.style)
	}
	return report.Text(p.stdout, now.Diagnostics, p.style)
}
