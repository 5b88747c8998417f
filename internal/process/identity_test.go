package process

import (
	"os"
	"os/exec"
	"testing"
)

func TestIdentifyOwnProcess(t *testing.T) {
	me, ok := Identify(os.Getpid())
	if !ok || !me.Alive() {
		t.Fatalf("Identify(own pid) = %+v, %v; want a living process", me, ok)
	}
}

func TestIdentityOfAnotherStartIsNotAlive(t *testing.T) {
	me, _ := Identify(os.Getpid())
	me.Started += "1"
	if me.Alive() {
		t.Error("an identity with another start time counts as alive: a reused pid would too")
	}
}

func TestEndedProcessIsNotAlive(t *testing.T) {
	// cat lives as long as its input is open.
	cmd := exec.Command("cat")
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	child, ok := Identify(cmd.Process.Pid)
	if !ok || !child.Alive() {
		t.Errorf("Identify(child) = %+v, %v; want a living process", child, ok)
	}
	if err := stdin.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if child.Alive() {
		t.Error("a child that was waited for counts as alive")
	}
}

func TestIdentifyNonsense(t *testing.T) {
	for _, pid := range []int{0, -1, 1 << 30} {
		if id, ok := Identify(pid); ok {
			t.Errorf("Identify(%d) = %+v, true; want false", pid, id)
		}
	}
}
