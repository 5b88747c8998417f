package wire

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"egod/internal/ops"
)

// TestKinds: every kind has its own code.
func TestKinds(t *testing.T) {
	c := NewConn(Config{})
	for kind, want := range map[ops.Kind]int64{
		ops.KindParseError: -32700, ops.KindInvalidRequest: -32600, ops.KindMethodNotFound: -32601,
		ops.KindInvalidParams: -32602, ops.KindInternal: -32603, ops.KindCancelled: -32800,
		ops.KindSkillNotFound: -32010, ops.KindToolNotFound: -32011, ops.KindSkillBroken: -32012,
		ops.KindToolFailed: -32020, ops.KindTimeout: -32021, ops.KindLimitExceeded: -32022,
		ops.KindResultInvalid: -32023, ops.KindBrowserUnavailable: -32030, ops.KindBrowserGone: -32031,
		ops.KindPageError: -32032, ops.KindPolicyDenied: -32040, ops.KindBusy: -32050,
	} {
		wrapped := fmt.Errorf("running: %w", ops.Errorf(kind, "it\r\nfailed").With("f", 1).WithHint("h"))
		e := c.Fault("m", wrapped)
		var data map[string]any
		if err := json.Unmarshal(e.Data, &data); err != nil {
			t.Fatal(err)
		}
		if e.Code != want || data["kind"] != string(kind) || data["retryable"] != (kind == ops.KindBusy) || data["hint"] == nil {
			t.Errorf("%s: code %d, data %v", kind, e.Code, data)
		}
		if strings.ContainsAny(e.Message, "\r\n") {
			t.Errorf("%s: message %q", kind, e.Message)
		}
	}
	e := c.Fault("m", ops.Errorf(ops.KindTimeout, "x").With("f", func() {}))
	if e.Code != -32021 || string(e.Data) != `{"kind":"timeout","retryable":false}` {
		t.Errorf("data without a JSON form: %+v, %s", e, e.Data)
	}
}

func TestOutcome(t *testing.T) {
	for want, outcomes := range map[int][]Outcome{
		0: {{Reason: InputEnded}, {Reason: Stopped}, {Reason: Exited, Shutdown: true}, {Reason: InputEnded, Shutdown: true}},
		1: {{Reason: Exited}, {Reason: InputBroken}, {Reason: PeerGone}, {Reason: PeerGone, Shutdown: true}},
	} {
		for _, o := range outcomes {
			if o.ExitCode() != want || o.Reason.String() == "" {
				t.Errorf("%s, shutdown %v: code %d, want %d", o.Reason, o.Shutdown, o.ExitCode(), want)
			}
		}
	}
}
