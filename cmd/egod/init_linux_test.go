package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The tests of the init play three processes with this binary: the test, the
// init, and the program under it. The variable says which one a process is; the
// init is made a subreaper, which inherits orphans like process 1 does.
const roleVariable = "INIT_TEST_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(roleVariable) {
	case "":
		os.Exit(m.Run())
	case "orphans", "signals":
		os.Exit(playInit())
	case "under-orphans":
		os.Exit(playMaker())
	case "under-signals":
		os.Exit(playWaiter())
	}
}

func playInit() int {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 100
	}
	if err := os.Setenv(roleVariable, "under-"+os.Getenv(roleVariable)); err != nil {
		return 100
	}
	return runAsInit(os.Args, os.Stderr)
}

// playMaker makes orphans, and children of its own whose exit codes it asks for.
func playMaker() int {
	var group sync.WaitGroup
	codes := make([]int, 20)
	for i := range codes {
		group.Go(func() {
			_ = exec.Command("sh", "-c", "(true & true &) ; true").Run()
			var exit *exec.ExitError
			if errors.As(exec.Command("sh", "-c", "exit "+strconv.Itoa(i)).Run(), &exit) {
				codes[i] = exit.ExitCode()
			}
		})
	}
	group.Wait()
	for i, code := range codes {
		if code != i {
			fmt.Fprintf(os.Stderr, "the child that exited with %d is said to have exited with %d\n", i, code)
			return 101
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for again := time.NewTicker(5 * time.Millisecond); ; {
		if children(os.Getppid()) == 1 {
			return 7
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			fmt.Fprintf(os.Stderr, "the init still has %d children\n", children(os.Getppid()))
			return 102
		}
	}
}

// children counts the children of a process, with those that wait to be reaped.
func children(pid int) int {
	list, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if err != nil {
		return -1
	}
	n := len(bytes.Fields(list))
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return -1
	}
	for _, thread := range threads {
		if thread.Name() == strconv.Itoa(pid) {
			continue
		}
		list, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%s/children", pid, thread.Name()))
		if err == nil {
			n += len(bytes.Fields(list))
		}
	}
	return n
}

func playWaiter() int {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGHUP)
	fmt.Println("ready")
	if s := <-signals; s != syscall.SIGHUP {
		return 103
	}
	fmt.Println("heard")
	if s := <-signals; s != syscall.SIGTERM {
		return 104
	}
	signal.Reset(syscall.SIGTERM)
	_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
	<-signals
	return 105
}

func initCommand(t *testing.T, role string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), roleVariable+"="+role)
	stderr := &bytes.Buffer{}
	cmd.Stderr = stderr
	return cmd, stderr
}

// TestInitReapsOrphans: go-rod/rod #865, xpzouying/xiaohongshu-mcp #351, where
// every browser left a defunct process, and vercel-labs/agent-browser 0.23.4,
// where reaping took the exit codes of others.
func TestInitReapsOrphans(t *testing.T) {
	cmd, stderr := initCommand(t, "orphans")
	if err := cmd.Run(); cmd.ProcessState.ExitCode() != 7 {
		t.Errorf("the program under the init ended with %v, want exit code 7\n%s", err, stderr)
	}
}

// TestInitForwardsSignals, and tells a death by a signal as shells do.
func TestInitForwardsSignals(t *testing.T) {
	cmd, stderr := initCommand(t, "signals")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// Two signals that are under way at once may come in any order.
	lines := bufio.NewScanner(stdout)
	for _, step := range []struct {
		line string
		then os.Signal
	}{{"ready", syscall.SIGHUP}, {"heard", syscall.SIGTERM}} {
		if !lines.Scan() || lines.Text() != step.line {
			t.Errorf("got %q, %v, want %q", lines.Text(), lines.Err(), step.line)
		}
		if err := cmd.Process.Signal(step.then); err != nil {
			t.Error(err)
		}
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 128+int(syscall.SIGTERM) {
		t.Errorf("the program under the init ended with %v, want exit code %d\n%s", err, 128+int(syscall.SIGTERM), stderr)
	}
}
