package main

import (
	"fmt"
	"io"
	"os"
)

// Exit codes of every command.
const (
	exitOK      = 0 // done
	exitFailure = 1 // findings, a failed tool, a broken stream
	exitUsage   = 2 // the command line is wrong
)

// program is the surroundings of one run of the program. Tests make their own.
type program struct {
	args   []string // without the program's name
	env    []string // "NAME=value"
	stdin  *os.File
	stdout *os.File
	stderr io.Writer
	// executable is the path of this binary, which also runs the workers.
	executable func() (string, error)
	getwd      func() (string, error)
	// exit ends the process at once: for a second signal, and nothing else.
	exit func(code int)
}

func programFromOS() *program {
	return &program{
		args:       os.Args[1:],
		env:        os.Environ(),
		stdin:      os.Stdin,
		stdout:     os.Stdout,
		stderr:     os.Stderr,
		executable: os.Executable,
		getwd:      os.Getwd,
		exit:       os.Exit,
	}
}

// executableOr is the path of this binary, or another name for it when the
// system does not tell.
func (p *program) executableOr(name string) string {
	if path, err := p.executable(); err == nil {
		return path
	}
	return name
}

// run executes the command line and returns the exit code.
func run(p *program) int {
	root := newRootCommand(p)
	root.SetArgs(p.args)
	root.SetIn(p.stdin)
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	err := root.Execute()
	if err == nil {
		return exitOK
	}
	code, quiet := exitCode(err)
	if !quiet {
		fmt.Fprintf(p.stderr, "egod: %v\n", err)
		if hint := hintOf(err); hint != "" {
			fmt.Fprintf(p.stderr, "  hint: %s\n", hint)
		}
	}
	return code
}
