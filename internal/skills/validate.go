package skills

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// Report is the outcome of looking for faults.
type Report struct {
	// OK says that there is no error; warnings do not count.
	OK          bool         `json:"ok"`
	Errors      int          `json:"errors"`
	Warnings    int          `json:"warnings"`
	Diagnostics []Diagnostic `json:"diagnostics"`
	// Packs is how many packs were looked at.
	Packs int `json:"-"`
}

// NewReport counts findings.
func NewReport(packs int, list []Diagnostic) Report {
	r := Report{Diagnostics: list, Packs: packs}
	if list == nil {
		r.Diagnostics = []Diagnostic{}
	}
	for _, d := range list {
		switch d.Severity {
		case SeverityError:
			r.Errors++
		case SeverityWarning:
			r.Warnings++
		}
	}
	r.OK = r.Errors == 0
	return r
}

// Validate reports on one served pack, or on all packs when siteID is empty. It
// is false when there is no such pack.
func (c *Catalog) Validate(siteID string) (Report, bool) {
	if siteID == "" {
		return NewReport(len(c.packs)+len(c.unserved), c.Diagnostics()), true
	}
	p, ok := c.byID[siteID]
	if !ok {
		return Report{}, false
	}
	return NewReport(1, p.Diagnostics), true
}

// Validate reports on a pack directory, its manifest.json, or a root, loaded or
// not, as a store would, with as many checks at once as there are processors.
// Check and Limits are those of a [Config], and may be zero. The error is a *PathError, or says that a check failed so that the report
// is not complete.
func Validate(ctx context.Context, path string, check Check, limits Limits) (Report, error) {
	root, err := RootAt(path)
	if err != nil {
		return Report{}, err
	}
	s, err := Open(ctx, Config{Roots: []Root{root}, Poll: -1, Limits: limits, Check: check, CheckAll: true, ChecksAtOnce: runtime.GOMAXPROCS(0)})
	if err != nil {
		return Report{}, fmt.Errorf("cannot validate %s: %w", path, err)
	}
	defer s.Close()
	if err := s.Settle(ctx); err != nil {
		return Report{}, fmt.Errorf("cannot validate %s: %w", path, err)
	}
	report, _ := s.Catalog().Validate("")
	return report, nil
}

// looksLikePack tells a pack directory from a root: by its manifest, or, where
// that is what is missing, by the directories of a pack.
func looksLikePack(dir string) bool {
	for _, name := range []string{manifestName, "notes", "tools", "browser-tools"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}
