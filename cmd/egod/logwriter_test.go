package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
)

// TestLogNeverWaits: hosts that give egod a pipe as stderr and never read it
// must not stop it.
func TestLogNeverWaits(t *testing.T) {
	reader, writer := io.Pipe() // holds nothing: a write waits for a read
	l := newLogWriter(writer, nil)
	line := []byte(strings.Repeat("x", 1000) + "\n")
	for range 3000 {
		if n, err := l.Write(line); n != len(line) || err != nil {
			t.Fatalf("Write = %d, %v", n, err)
		}
	}
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	l.close()
	select {
	case <-l.done:
	default:
		t.Error("the goroutine goes on after its reader is gone")
	}
}

func TestLogKeepsOrderAndFlushes(t *testing.T) {
	var out bytes.Buffer
	l := newLogWriter(&out, nil)
	var want strings.Builder
	for i := range 100 {
		line := fmt.Sprintf("line %d\n", i)
		want.WriteString(line)
		if _, err := l.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	l.close()
	if out.String() != want.String() {
		t.Errorf("the log holds %q", out.String())
	}
}

func TestLogSaysWhatItDropped(t *testing.T) {
	l := &logWriter{more: make(chan struct{}, 1)} // nobody writes
	for range 3 {
		if _, err := l.Write(bytes.Repeat([]byte("x"), logQueueBytes/2)); err != nil {
			t.Fatal(err)
		}
	}
	lines, _ := l.take()
	if len(lines) != 3 || !strings.Contains(string(lines[2]), "1 lines of the log were dropped") {
		t.Errorf("%d lines, the last %.80q; want two and a word about the third", len(lines), lines[len(lines)-1])
	}
}
