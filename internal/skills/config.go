package skills

import (
	"context"
	"io/fs"
	"log/slog"
	"time"
)

// Root is a directory of packs.
type Root struct {
	// Dir is the absolute path, and what users are shown.
	Dir string
	// FS holds the packs when they are not on disk under Dir. It is read once
	// and never watched.
	FS fs.FS
	// Builtin marks the packs that come with the program.
	Builtin bool

	only string // the one directory to load, empty for all
}

// Check looks into a tool's source, which this package does not parse. The
// findings need File, Range, Severity, Code and Message; the rest is filled in, and
// so is the range of one about the tool's declaration, whose file is manifest.json.
// One of severity error stops the tool. An error means that the check itself
// failed: nothing is then known about the tool, and nothing is reported.
type Check func(ctx context.Context, p *Pack, t *Tool) ([]Diagnostic, error)

// PollEvery is how often everything is looked at when nothing can be watched.
const PollEvery = 250 * time.Millisecond

// Config says what a store loads and whom it tells.
type Config struct {
	// Roots are the directories of packs, highest first.
	Roots []Root
	// Logger receives what an operator needs to know; nil for silence.
	Logger *slog.Logger
	// OnChange is called after each swap of the catalog, in order, from the
	// store's own goroutine: it must not block for long and must not call Reload.
	// It is not called for the initial load.
	OnChange func(Change)
	// After is the generation that the first catalog follows: that of a store
	// which this one takes over from.
	After uint64
	// Poll is how the roots are followed. Zero watches them and polls where
	// watching is not possible; a positive value polls that often and watches
	// nothing; a negative value looks once, at Open, and at each Reload.
	Poll time.Duration
	// EventsOnly keeps to watching where that may not tell everything: on network
	// file systems, and when not every directory can be watched. It has no effect
	// with a Poll.
	EventsOnly bool
	// Limits bound what is read; the zero value of each field is its default.
	Limits Limits
	// Check, when set, is run for each tool of a pack that changed, beside
	// everything else. What it finds arrives as a change of its own.
	Check Check
	// ChecksAtOnce is how many packs are checked at the same time; 0 means one.
	ChecksAtOnce int
	// Cost, when set, says what running a tool may start, by its source and those
	// of its pack. It is called once for each tool that is loaded, from several
	// goroutines, and must depend on what it is given alone. Without it every tool
	// counts as one that may start the browser.
	Cost func(t *Tool, files map[string]string) Cost
	// CheckAll runs Check for the packs of the initial load too.
	CheckAll bool

	remote func(dir string) bool // isRemote, unless a test has its own
}

// Limits bound what is read from a root. A pack past a limit is served without
// what is past it, and says so in its diagnostics.
type Limits struct {
	ManifestBytes int64 // default 256 KiB
	NoteBytes     int64 // of one note, default 1 MiB
	SourceBytes   int64 // of one source file, default 128 KiB
	DataBytes     int64 // of one .json file, default 1 MiB
	PackBytes     int64 // of all sources of a pack, and of all its notes, default 8 MiB each
	PackEntries   int   // files and directories of a pack, default 4,096
	PackDepth     int   // directories below each other, default 12
	RootEntries   int   // directories of a root, default 100,000
}

func (l Limits) withDefaults() Limits {
	set := func(v *int64, d int64) {
		if *v <= 0 {
			*v = d
		}
	}
	set(&l.ManifestBytes, 256<<10)
	set(&l.NoteBytes, 1<<20)
	set(&l.SourceBytes, 128<<10)
	set(&l.DataBytes, 1<<20)
	set(&l.PackBytes, 8<<20)
	if l.PackEntries <= 0 {
		l.PackEntries = 4096
	}
	if l.PackDepth <= 0 {
		l.PackDepth = 12
	}
	if l.RootEntries <= 0 {
		l.RootEntries = 100_000
	}
	return l
}
