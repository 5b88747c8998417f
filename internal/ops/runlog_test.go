package ops

import (
	"strings"
	"testing"

	"egod/internal/browser"
	jsruntime "egod/internal/runtime"
)

// What pages say is bounded over all calls of a run, in lines and in bytes, and what
// is left out is neither kept nor told. The run's own lines are not touched by that.
func TestRunLogIsBounded(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		lines      int
	}{
		{"lines", "x", maxPageLines},
		{"bytes", strings.Repeat("x", maxPageBytes/16), 16},
	} {
		t.Run(tt.name, func(t *testing.T) {
			told, own := 0, 0
			log := newRunLog(func(_, _ string, fromPage bool) {
				if told++; !fromPage {
					own++
				}
			})
			for range tt.lines + 3 {
				log.add(browser.ConsoleMessage{Level: "log", Message: tt.text})
			}
			log.own(jsruntime.LogEntry{Level: "log", Message: "own"})
			lines := log.all()
			if told != tt.lines+1 || own != 1 || len(lines) != tt.lines+2 {
				t.Errorf("%d lines told, %d of them the run's own, %d kept; want %d of pages, one of the run, and a word on the rest", told, own, len(lines), tt.lines)
			}
			if last := lines[len(lines)-1].Message; !strings.HasPrefix(last, "3 more console messages") {
				t.Errorf("the last line is %q", last)
			}
		})
	}
}
