package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// heard is a log that a test reads once the audit log is closed.
func heard() (*slog.Logger, *bytes.Buffer) {
	var lines bytes.Buffer
	return slog.New(slog.NewTextHandler(&lines, nil)), &lines
}

func open(t *testing.T, path string, logger *slog.Logger) *Log {
	t.Helper()
	l, err := Open(path, logger)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func closeLog(t *testing.T, l *Log) {
	t.Helper()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

// records reads a file whose lines must all be whole.
func records(t *testing.T, path string) (all []Record) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var r Record
		if err := json.Unmarshal([]byte(line), &r); err != nil || !strings.HasSuffix(line, "\n") {
			t.Fatalf("%q: %v", line, err)
		}
		all = append(all, r)
	}
	return all
}

func TestAppends(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	for range 2 {
		logger, said := heard()
		l := open(t, path, logger)
		l.Audit(Record{Op: "ping <&>", Outcome: "ok"})
		closeLog(t, l)
		l.Audit(Record{Op: "late"}) // is dropped
		closeLog(t, l)
		if said.Len() > 0 {
			t.Errorf("the log was told %s", said)
		}
	}
	all := records(t, path)
	if len(all) != 2 || all[1].Op != "ping <&>" || all[1].PID != os.Getpid() {
		t.Errorf("%+v", all)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// TestManyWriters has several logs append to one file, as processes do.
func TestManyWriters(t *testing.T) {
	const writers, each = 4, 1000
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			l := open(t, path, slog.New(slog.DiscardHandler))
			for i := range each {
				l.Audit(Record{Op: fmt.Sprint(w, strings.Repeat("x", i)), Outcome: "ok"})
			}
			closeLog(t, l)
		})
	}
	all.Wait()
	if got := len(records(t, path)); got != writers*each {
		t.Errorf("%d records, want %d", got, writers*each)
	}
}

// lineOf is a batch of one line.
func lineOf(text string) (b batch) {
	b.lines.WriteString(text + "\n")
	b.records = []uint64{1}
	return b
}

// TestFollowsTheName is rotation by rename: what comes after is in a new file.
func TestFollowsTheName(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "audit.jsonl")
	l := open(t, path, slog.New(slog.DiscardHandler))
	l.append(lineOf(`{"op":"before"}`), false)
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	l.append(lineOf(`{"op":"after"}`), true)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	l.append(lineOf(`{"op":"again"}`), true)
	closeLog(t, l)
	for name, op := range map[string]string{path + ".1": "before", path: "again"} {
		if all := records(t, name); len(all) != 1 || all[0].Op != op {
			t.Errorf("%s: %+v", name, all)
		}
	}
}

// TestCannotWrite is a directory that goes away and comes back: one warning, and the
// number of what is missing.
func TestCannotWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "logs")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "audit.jsonl")
	logger, said := heard()
	l := open(t, path, logger)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		l.append(lineOf("{}"), true)
	}
	if n := strings.Count(said.String(), "cannot be written"); n != 1 {
		t.Errorf("%d warnings: %s", n, said)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	l.Audit(Record{Op: "back", Outcome: "ok"})
	closeLog(t, l)
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), `"outcome":"lost","records":3}`+"\n") || !strings.Contains(string(text), `"op":"back"`) {
		t.Errorf("%s, %v", text, err)
	}
	if n := strings.Count(said.String(), "written again"); n != 1 {
		t.Errorf("%d notices: %s", n, said)
	}
}

// TestCountsWhatIsLost: what was lost before a line that is lost too is not forgotten,
// and it is told of at the end when no record comes to do it.
func TestCountsWhatIsLost(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "logs")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "audit.jsonl")
	l := open(t, path, slog.New(slog.DiscardHandler))
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		var b batch
		l.encode(&b, Record{Op: "x", Outcome: "ok"})
		l.append(b, false)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	closeLog(t, l)
	text, err := os.ReadFile(path)
	if err != nil || strings.Count(string(text), "\n") != 1 || !strings.HasSuffix(string(text), `"outcome":"lost","records":5}`+"\n") {
		t.Errorf("%s, %v", text, err)
	}
}

// TestCountsLinesThatAreNotWhole has a disk that is full in the middle of a line.
func TestCountsLinesThatAreNotWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	l := open(t, path, slog.New(slog.DiscardHandler))
	var b batch
	l.lost.Add(7)
	for range 3 {
		l.encode(&b, Record{Op: "x", Outcome: "ok"})
	}
	if got := b.missing(2); got != 2 { // whole are the line that tells of the seven, and a record
		t.Errorf("%d are missing after two lines, want 2", got)
	}
	if got := b.missing(0); got != 10 {
		t.Errorf("%d are missing after none, want 10", got)
	}
	closeLog(t, l)
}

func TestFullDisk(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Logf("this system has no full device: %v", err)
		return
	}
	logger, said := heard()
	l := open(t, "/dev/full", logger)
	for range 100 {
		l.Audit(Record{Op: "x", Outcome: denied})
	}
	closeLog(t, l)
	if n := strings.Count(said.String(), "cannot be written"); n != 1 {
		t.Errorf("%d warnings: %s", n, said)
	}
}

func TestOpenRefuses(t *testing.T) {
	for _, path := range []string{t.TempDir(), filepath.Join(t.TempDir(), "no", "such")} {
		if _, err := Open(path, slog.New(slog.DiscardHandler)); err == nil {
			t.Errorf("%s was opened", path)
		}
	}
}
