package runtime

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// daemonEnv makes the test binary a daemon with one run that never ends.
const daemonEnv = "EGOD_TEST_DAEMON"

// loopForEver prints the pid of its worker, which loops, and waits for its own end.
func loopForEver() {
	exe, err := os.Executable()
	if err != nil {
		os.Exit(1)
	}
	p, err := NewPool(Config{Command: []string{exe}, Env: []string{workerEnv + "=1"}, Workers: 1, Surface: Surface{Source: testSurface}})
	if err != nil {
		os.Exit(1)
	}
	_, _ = p.Run(context.Background(), Request{Program: body("console.log('looping'); while (true) {}"), OnLog: func(LogEntry) {
		p.mu.Lock()
		defer p.mu.Unlock()
		for w := range p.all {
			fmt.Println(w.cmd.Process.Pid)
		}
	}})
	os.Exit(1)
}

// TestKilledDaemonLeavesNoWorker kills the daemon while its worker is in a loop
// that reads nothing.
func TestKilledDaemonLeavesNoWorker(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		return // the parent-death signal is Linux's
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	daemon := exec.Command(exe)
	daemon.Env = []string{daemonEnv + "=1"}
	out, err := daemon.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	stat := "/proc/" + strings.TrimSpace(line) + "/stat"
	if _, err := os.Stat(stat); err != nil {
		t.Fatalf("the worker is not there: %v", err)
	}
	if err := daemon.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = daemon.Wait() // it was killed
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for deadline := time.Now().Add(3 * time.Second); ; <-ticker.C {
		data, err := os.ReadFile(stat)
		if err != nil || strings.Contains(string(data), ") Z ") { // gone, or a zombie that init has not taken yet
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the worker lives on 3 s after its daemon was killed")
		}
	}
}
