package skills

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
)

// checkJob is a pack of which some tools are to be checked.
type checkJob struct {
	key   slotKey
	pack  *Pack
	tools []*Tool
}

type checkResult struct {
	checkJob
	found map[string][]Diagnostic
	err   error // of the last check that failed
}

// checker runs checks beside the store, some packs at a time.
type checker struct {
	atOnce  int
	jobs    chan checkJob
	results chan checkResult
	running sync.WaitGroup
}

// startChecker starts the goroutines that run checks; they end with ctx.
func startChecker(ctx context.Context, check Check, atOnce int, log *slog.Logger) *checker {
	c := &checker{atOnce: max(atOnce, 1), jobs: make(chan checkJob), results: make(chan checkResult)}
	if check == nil {
		return c
	}
	for range c.atOnce {
		c.running.Go(func() { c.work(ctx, check, log) })
	}
	return c
}

func (c *checker) work(ctx context.Context, check Check, log *slog.Logger) {
	for {
		select {
		case <-ctx.Done():
			return
		case job := <-c.jobs:
			r := runChecks(ctx, check, job, log)
			select {
			case c.results <- r:
			case <-ctx.Done():
				return
			}
		}
	}
}

func (c *checker) wait() { c.running.Wait() }

// runChecks checks the tools of one pack. A check that fails leaves its tool
// unknown: it is tried again when the pack changes.
func runChecks(ctx context.Context, check Check, job checkJob, log *slog.Logger) checkResult {
	r := checkResult{checkJob: job, found: map[string][]Diagnostic{}}
	for _, t := range job.tools {
		list, err := check(ctx, job.pack, t)
		if err != nil {
			if ctx.Err() == nil {
				log.Warn("tool could not be checked", "siteId", job.pack.ID, "toolName", t.Name, "error", err)
			}
			r.err = fmt.Errorf("cannot check tool %s of %s: %w", t.Name, job.pack.ID, err)
			continue
		}
		r.found[t.Hash] = list
	}
	return r
}
