//go:build unix

package tests

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"egod/tests/sites"
)

// step is one command of a document and what it shows below it.
type step struct {
	line    int // of the document
	command string
	shows   string
}

// consoleSteps reads the commands of a document's ```console blocks: a line that
// begins with "$ ", with the lines of a here-document, and then what it prints.
func consoleSteps(t *testing.T, file string) []step {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var steps []step
	inside, here := false, false
	for i, line := range strings.Split(string(raw), "\n") {
		command, isCommand := strings.CutPrefix(line, "$ ")
		switch {
		case here:
			steps[len(steps)-1].command += "\n" + line
			here = line != "EOF"
		case line == "```console":
			inside = true
		case strings.HasPrefix(line, "```"):
			inside = false
		case inside && isCommand:
			steps = append(steps, step{line: i + 1, command: command})
			here = strings.HasSuffix(command, "<<'EOF'")
		case inside:
			steps[len(steps)-1].shows += line + "\n"
		}
	}
	return steps
}

// matches compares output with what a document shows, where "..." stands for
// anything.
func (s step) matches(output string) bool {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(s.shows), `\.\.\.`, `(?s:.*)`)
	return regexp.MustCompile("^" + pattern + "$").MatchString(output)
}

// fails tells whether a document shows a command that does not succeed.
func (s step) fails() bool {
	return strings.Contains(s.shows, ": error: ") || strings.HasPrefix(s.shows, "egod: ")
}

// TestAuthoring does what docs/authoring.md says.
func TestAuthoring(t *testing.T) {
	site := sites.Site{
		Hosts: []string{"example.com"}, Pages: []sites.Page{{File: "home.html"}},
		Files: fstest.MapFS{"home.html": {Data: []byte("<!doctype html><title>Example Domain</title><h1>Example Domain</h1><p>For documents.</p>")}},
	}
	server, err := sites.Start(t.Context(), site)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	shell := &shell{
		t: t, dir: t.TempDir(),
		env: append(os.Environ(), "TMPDIR="+t.TempDir(),
			"PATH="+filepath.Dir(egodPath)+string(os.PathListSeparator)+os.Getenv("PATH"),
			"EGOD_CHROME_ARG="+strings.Join(server.ChromeArgs(), "\n")),
	}
	steps := consoleSteps(t, "../docs/authoring.md")
	if len(steps) < 15 {
		t.Fatalf("%d commands in the document", len(steps))
	}
	for _, s := range steps {
		if output := shell.run(s); !s.matches(output) {
			t.Fatalf("authoring.md:%d: %s\nprinted\n%s\nand the document shows\n%s", s.line, s.command, output, s.shows)
		}
	}
}

// shell runs commands one after the other, as one shell would.
type shell struct {
	t       *testing.T
	dir     string
	env     []string
	exports []string
}

// run runs one command and returns what it prints. A command that watches is
// interrupted once it printed what the document shows.
func (sh *shell) run(s step) string {
	t := sh.t
	t.Helper()
	if strings.HasPrefix(s.command, "export ") {
		sh.exports = append(sh.exports, s.command)
		return ""
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	watches, prefix := strings.HasPrefix(s.command, "egod watch"), ""
	if watches {
		prefix = "exec "
	}
	cmd := exec.CommandContext(ctx, "sh", "-c", strings.Join(append(sh.exports, prefix+s.command), "\n"))
	output := &lockedBuffer{}
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = sh.dir, sh.env, output, output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if watches {
		eventually(t, patience, s.command, func() bool { return s.matches(output.String()) })
		if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
	}
	if err := cmd.Wait(); (err != nil) != s.fails() {
		t.Fatalf("authoring.md:%d: %s: %v\n%s", s.line, s.command, err, output)
	}
	return output.String()
}
