// Session is a small agent framework's side of egod: it starts egod as a child
// process, asks what is known about an address, runs a tool of each kind in a
// real Chrome, edits a note and sees the edit, and ends the child. Every line
// that crosses the pipe is shown.
//
// The page it opens is served on loopback under the name harbour.test, and its
// pack is copied from learnings/ to a temporary directory, so nothing outside
// this machine is asked.
//
//	go run ./examples/session -egod bin/egod
package main

import (
	"context"
	"embed"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"egod/tests/sites"
)

//go:embed learnings pages
var files embed.FS

func main() {
	egod := flag.String("egod", "bin/egod", "the egod binary")
	timeout := flag.Duration("timeout", 2*time.Minute, "longest time for the whole session")
	width := flag.Int("width", 1200, "longest line to show whole, in bytes")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithTimeoutCause(ctx, *timeout, fmt.Errorf("no end after %v", *timeout))
	defer cancel()
	if err := session(ctx, *egod, printer{width: *width}); err != nil {
		fmt.Fprintln(os.Stderr, "session:", err)
		cancel()
		os.Exit(1)
	}
}

// session prepares the page and the pack, runs the script against egod and cleans up.
func session(ctx context.Context, egod string, show printer) (err error) {
	board := sites.Site{Hosts: []string{"harbour.test"}, Files: files, Pages: []sites.Page{{Path: "/board", File: "pages/board.html"}}}
	server, err := sites.Start(ctx, board)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()

	dir, err := os.MkdirTemp("", "egod-session-")
	if err != nil {
		return fmt.Errorf("make a directory for the pack: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	packs, err := fs.Sub(files, "learnings")
	if err != nil {
		return err
	}
	if err := os.CopyFS(dir, packs); err != nil {
		return fmt.Errorf("copy the pack: %w", err)
	}

	args := append([]string{"serve", "--root", dir}, server.EgodArgs()...)
	show.title("%s %s", egod, strings.Join(args, " "))
	// A session that fails must not leave its child behind.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c, err := start(ctx, show.line, egod, args...)
	if err != nil {
		return err
	}
	if err := script(ctx, c, show, filepath.Join(dir, "harbour-test", "notes", "board.md")); err != nil {
		cancel()
		_ = c.cmd.Wait() // killed; the error that led here is the one to tell
		return err
	}
	return nil
}

const boardURL = "https://harbour.test/board"

// object is the params or the result of a call.
type object = map[string]any

// script is the session itself, step by step.
func script(ctx context.Context, c *client, show printer, note string) error {
	steps := []struct {
		title, method string
		params        object
		check         func(result object) error
	}{
		{"say hello", "initialize", object{"protocolVersion": "1", "clientInfo": object{"name": "session", "version": "1"}, "processId": os.Getpid()}, nil},
		{"which packs know this address?", "skillsForUrl", object{"url": boardURL}, contains("skills", "harbour-test")},
		{"and this one? (a pack that ships with egod)", "skillsForUrl", object{"url": "https://x.com/home"}, contains("skills", "x-com")},
		{"what is known about it?", "learnContext", object{"url": boardURL}, contains("knowledge", "The table shows today only.")},
		{"run a tool that drives the browser", "runTool", object{"siteId": "harbour-test", "toolName": "next-tide", "args": object{"after": "10:00"}}, contains("value", "21:48")},
		{"run a tool inside the page", "runBrowserTool", object{"siteId": "harbour-test", "toolName": "read-notice"}, contains("value", "small bridge")},
	}
	for _, step := range steps {
		show.title("%s", step.title)
		var result object
		if err := c.call(ctx, step.method, step.params, &result); err != nil {
			return err
		}
		if step.check != nil {
			if err := step.check(result); err != nil {
				return fmt.Errorf("%s: %w", step.method, err)
			}
		}
	}
	if err := editNote(ctx, c, show, note); err != nil {
		return err
	}
	return end(ctx, c, show)
}

// editNote changes the note on disk as an editor would and shows that answers follow.
func editNote(ctx context.Context, c *client, show printer, note string) error {
	const added = "Springs come two days after a full moon."
	show.title("edit the note on disk: %s", added)
	content, err := os.ReadFile(note)
	if err != nil {
		return fmt.Errorf("read the note: %w", err)
	}
	began := time.Now()
	if err := os.WriteFile(note, append(content, "\n"+added+"\n"...), 0o644); err != nil {
		return fmt.Errorf("write the note: %w", err)
	}
	if err := c.await(ctx, "skills/changed"); err != nil {
		return err
	}
	show.title("seen %d ms after the write; ask again", time.Since(began).Milliseconds())
	var result object
	if err := c.call(ctx, "learnContext", object{"url": boardURL}, &result); err != nil {
		return err
	}
	return contains("knowledge", added)(result)
}

func end(ctx context.Context, c *client, show printer) error {
	show.title("say goodbye")
	if err := c.call(ctx, "shutdown", object{}, nil); err != nil {
		return err
	}
	if err := c.notify("exit"); err != nil {
		return err
	}
	code, err := c.wait(ctx)
	if err != nil {
		return fmt.Errorf("exit: %w", err)
	}
	show.title("egod exited with code %d", code)
	if code != 0 {
		return fmt.Errorf("egod exited with code %d, want 0", code)
	}
	return nil
}
