package browser

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// executable makes a file that passes for a program on this platform.
func executable(t *testing.T, dir, name string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFindExplicit(t *testing.T) {
	dir := t.TempDir()
	path := executable(t, dir, "my chrome")
	if got, searched, err := Find(path); got != path || err != nil || len(searched) != 1 {
		t.Errorf("Find(%q) = %q, %v, %v", path, got, searched, err)
	}
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{filepath.Join(dir, "none"), dir, plain} {
		var missing *UnavailableError
		got, _, err := Find(bad)
		if got != "" || !errors.As(err, &missing) || missing.Path != bad || missing.Hint == "" {
			t.Errorf("Find(%q) = %q, %v", bad, got, err)
		}
	}
}

func TestFindInPathAndPlaces(t *testing.T) {
	inPath, elsewhere := t.TempDir(), t.TempDir()
	first := executable(t, inPath, "egod-test-chrome")
	place := executable(t, elsewhere, "chrome")
	t.Setenv("PATH", inPath)
	missing := filepath.Join(elsewhere, "missing")
	tests := []struct {
		name          string
		names, places []string
		want          string
	}{
		{"name in PATH before places", []string{"nope", "egod-test-chrome"}, []string{place}, first},
		{"first place that exists", []string{"nope"}, []string{missing, place}, place},
		{"nothing", []string{"nope"}, []string{missing}, ""},
	}
	for _, tt := range tests {
		got, searched, err := findIn(tt.names, tt.places)
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%s: %q, %v", tt.name, got, err)
		}
		if err != nil && (!strings.Contains(err.Error(), missing) || len(searched) != 2) {
			t.Errorf("%s: the error does not tell where it looked: %v", tt.name, err)
		}
	}
}
