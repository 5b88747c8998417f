// Package skills carries the packs that ship with egod inside the binary.
//
// Each directory below ego-browser/learnings is one pack: a manifest.json, notes/*.md,
// tools/*.js (ES modules that run in a worker) and browser-tools/*.js (one function
// expression each, run in the page). To add a pack, add its directory; its tests are
// recorded pages under tests/sites and cases in tests/packs_test.go.
package skills

import (
	"embed"
	"io/fs"
)

// learningsDir is where the packs lie below this directory, the layout that a
// workspace on disk has too.
const learningsDir = "ego-browser/learnings"

// The prefix "all:" keeps files whose names begin with "." or "_" in the binary.
//
//go:embed all:ego-browser
var packs embed.FS

// Learnings returns the shipped packs as a file system whose root holds one
// directory per pack. It is read-only and safe for concurrent use.
func Learnings() (fs.FS, error) {
	return fs.Sub(packs, learningsDir)
}
