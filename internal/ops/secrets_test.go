package ops

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"egod/internal/browser"
)

func TestSecretsText(t *testing.T) {
	secrets := NewSecrets([]string{"", "s3cret", "s3cret-and-more", `a "b"/+ c`, "first line\nshort\nthe second line"})
	for text, want := range map[string]string{
		"":                                 "",
		"nothing here":                     "nothing here",
		"token=s3cret&x":                   "token=[redacted]&x",
		"s3cret-and-more":                  "[redacted]",
		"s3crets3cret":                     "[redacted][redacted]",
		`a "b"/+ c`:                        "[redacted]",
		`{"token":"a \"b\"/+ c"}`:          `{"token":"[redacted]"}`,
		"?q=a+%22b%22%2F%2B+c":             "?q=[redacted]",
		"/a%20%22b%22%2F+%20c/":            "/[redacted]/",
		"Basic YSAiYiIvKyBj":               "Basic [redacted]",
		"the second line of a key, shown":  "[redacted] of a key, shown",
		"short lines of a key say nothing": "short lines of a key say nothing",
	} {
		if got := secrets.Text(text); got != want {
			t.Errorf("Text(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestNoSecrets(t *testing.T) {
	for _, values := range [][]string{nil, {}, {"", ""}} {
		secrets := NewSecrets(values)
		if secrets != nil || secrets.Text("text") != "text" {
			t.Errorf("NewSecrets(%q) hides something", values)
		}
		secrets.hideLogs(&RunResult{Logs: []LogLine{{}}})
		if err := errors.New("an error"); !errors.Is(secrets.hideError(err), err) {
			t.Errorf("NewSecrets(%q) changes errors", values)
		}
	}
}

// TestSecretsInErrors: message, hint and every value of data, whatever its type.
// What is not about a secret keeps its type.
func TestSecretsInErrors(t *testing.T) {
	secrets := NewSecrets([]string{"s3cret", `"quoted"`})
	cause := errors.New("the cause with s3cret")
	failed := (&Error{Kind: KindToolFailed, Message: "threw: s3cret", Hint: "try s3cret", Err: cause}).
		With("error", scriptError{Name: "Error", Message: `s3cret and "quoted"`, Line: 3}).
		With("list", []string{"a", "s3cret"}).With("raw", json.RawMessage(`{"k":"s3cret"}`)).
		With("text", "s3cret").With("count", 5)
	hidden := secrets.hideError(failed)
	var e *Error
	if !errors.As(hidden, &e) || !errors.Is(hidden, cause) {
		t.Fatalf("hideError returned %#v", hidden)
	}
	text, err := json.Marshal(e.Data)
	if err != nil {
		t.Fatal(err)
	}
	all := fmt.Sprint(e.Message, e.Hint, string(text))
	if strings.Contains(all, "s3cret") || strings.Contains(all, "quoted") || strings.Count(all, Redacted) != 7 {
		t.Errorf("left: %s", all)
	}
	if e.Data["count"] != 5 {
		t.Errorf("count became %#v", e.Data["count"])
	}
	if failed.Message != "threw: s3cret" {
		t.Error("the original error was changed: others may hold it")
	}
}

func TestSecretsInResults(t *testing.T) {
	secrets := NewSecrets([]string{"s3cret"})
	run := RunResult{
		Value: json.RawMessage(`"s3cret"`), Logs: []LogLine{{Message: "log s3cret"}},
		Warnings: []string{"s3cret"}, Dialogs: []browser.Dialog{{Message: "s3cret?"}},
	}
	secrets.hideLogs(&run)
	if run.Logs[0].Message != "log [redacted]" || run.Warnings[0] != "[redacted]" || run.Dialogs[0].Message != "[redacted]?" {
		t.Errorf("left: %+v", run)
	}
	if string(run.Value) != `"s3cret"` {
		t.Errorf("the value became %s", run.Value)
	}
	script := ScriptResult{Logs: []LogLine{{Message: "s3cret"}}, Output: "out s3cret\n"}
	secrets.hideScript(&script)
	if script.Logs[0].Message != Redacted || script.Output != "out [redacted]\n" {
		t.Errorf("left: %+v", script)
	}
}
