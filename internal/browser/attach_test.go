package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"egod/internal/process"
)

// foreignChrome is a Chrome that a user runs, with a port.
type foreignChrome struct {
	t    testing.TB
	proc *process.Child
	host string
	path string // of its websocket
	dir  string // its profile
}

func startForeignChrome(t testing.TB, args ...string) *foreignChrome {
	t.Helper()
	binary, _, err := Find("")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	args = append([]string{
		"--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0", "--user-data-dir=" + dir,
	}, args...)
	f := &foreignChrome{t: t, dir: dir}
	if f.proc, err = process.Start(exec.Command(binary, append(args, "about:blank")...)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.kill)
	eventually(t, 30*time.Second, "a port", func() bool {
		text, err := os.ReadFile(filepath.Join(dir, "DevToolsActivePort"))
		port, path, ok := strings.Cut(string(text), "\n")
		f.host, f.path = "127.0.0.1:"+port, strings.TrimSpace(path)
		return err == nil && ok && f.path != ""
	})
	return f
}

func (f *foreignChrome) kill() {
	ctx, cancel := context.WithCancel(context.Background())
	cancel() // at once
	f.proc.Stop(ctx)
	removeSocketDir(linkedSocket(f.dir)) // what is killed leaves it
}

func (f *foreignChrome) url() string { return "http://" + f.host }

// open opens a tab as its user would.
func (f *foreignChrome) open(address string) {
	f.t.Helper()
	req, err := http.NewRequestWithContext(f.t.Context(), http.MethodPut, f.url()+"/json/new?"+url.QueryEscape(address), nil)
	if err != nil {
		f.t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil || res.StatusCode != http.StatusOK {
		f.t.Fatalf("opening a tab: %v, %v", res, err)
	}
	res.Body.Close()
}

// tabs are the addresses of all tabs there are, sorted.
func (f *foreignChrome) tabs() []string {
	f.t.Helper()
	res, err := http.Get(f.url() + "/json/list")
	if err != nil {
		f.t.Fatal(err)
	}
	defer res.Body.Close()
	var list []struct{ Type, URL string }
	if err := json.NewDecoder(res.Body).Decode(&list); err != nil {
		f.t.Fatal(err)
	}
	var urls []string
	for _, tab := range list {
		if tab.Type == "page" {
			urls = append(urls, tab.URL)
		}
	}
	slices.Sort(urls)
	return urls
}

// attachedTabs are the addresses of the tabs that somebody has a session with.
func attachedTabs(t testing.TB, ctx context.Context, c *chrome) []string {
	t.Helper()
	var res struct {
		TargetInfos []struct {
			Type, URL string
			Attached  bool
		}
	}
	if err := c.call(ctx, rawRequest{"Target.getTargets", json.RawMessage("{}")}, &res); err != nil {
		t.Fatal(err)
	}
	var urls []string
	for _, info := range res.TargetInfos {
		if info.Attached && info.Type == "page" {
			urls = append(urls, info.URL)
		}
	}
	return urls
}

// urlsOf are the addresses of a space's tabs.
func urlsOf(t testing.TB, ctx context.Context, s *Space) []string {
	t.Helper()
	tabs, err := s.Tabs(ctx, true)
	if err != nil {
		t.Fatal(err)
	}
	urls := []string{}
	for _, tab := range tabs {
		urls = append(urls, tab.URL)
	}
	return urls
}

// A Chrome that was attached to keeps its tabs to itself, and what egod made in it is
// gone when egod is.
func TestAttach(t *testing.T) {
	for _, isolation := range []Isolation{IsolationFull, IsolationShared} {
		t.Run(string(isolation), func(t *testing.T) {
			f := startForeignChrome(t)
			mine := shared.server.URL + html("<p>the user's")
			f.open(mine)
			m := ownManager(t, Config{URLs: []string{f.url()}, Isolation: isolation})
			ctx := testContext(t)
			before := f.tabs()
			space := m.Space(DefaultSpace)
			page, err := space.Page(ctx)
			if err != nil {
				t.Fatal(err)
			}
			home := shared.server.URL + html(`<a id=plain href="/html?body=popup" target=_blank rel=opener>a</a><a id=alone href="/html?body=alone" target=_blank>b</a>`)
			mustGoto(t, ctx, page, home)
			for _, id := range []string{"#plain", "#alone"} {
				if err := page.Locator(id).Click(ctx, ClickOptions{}); err != nil {
					t.Fatal(err)
				}
			}
			want := []string{home, shared.server.URL + "/html?body=popup", shared.server.URL + "/html?body=alone"}
			eventually(t, 10*time.Second, "the tabs of the space", func() bool { return slices.Equal(urlsOf(t, ctx, space), want) })
			if v, err := page.Evaluate(ctx, Script{Expression: "document.cookie = 'who=space'; 6 * 7"}); err != nil || string(v) != "42" {
				t.Errorf("evaluate: %s, %v", v, err)
			}
			for _, address := range attachedTabs(t, ctx, m.running()) {
				if !slices.Contains(want, address) {
					t.Errorf("egod has a session with %s", address)
				}
			}
			if other := urlsOf(t, ctx, m.Space("other")); len(other) != 0 {
				t.Errorf("another space has %q", other)
			}
			if _, err := space.SwitchTab(ctx, foreignTarget(t, ctx, m.running(), mine)); err == nil {
				t.Error("it switched to a tab of the user")
			}
			closing, cancel := context.WithTimeout(ctx, 10*time.Second)
			defer cancel()
			if err := m.Close(closing); err != nil {
				t.Error(err)
			}
			eventually(t, 10*time.Second, "the user's tabs alone", func() bool { return slices.Equal(f.tabs(), before) })
		})
	}
}

func foreignTarget(t testing.TB, ctx context.Context, c *chrome, address string) string {
	t.Helper()
	var res struct {
		TargetInfos []struct{ TargetID, URL string }
	}
	if err := c.call(ctx, rawRequest{"Target.getTargets", json.RawMessage("{}")}, &res); err != nil {
		t.Fatal(err)
	}
	for _, info := range res.TargetInfos {
		if info.URL == address {
			return info.TargetID
		}
	}
	t.Fatalf("no tab shows %s", address)
	return ""
}

// Logins of the user are seen, and what spaces log in to is seen by no other.
func TestAttachedSpacesAreIsolated(t *testing.T) {
	f := startForeignChrome(t)
	m := ownManager(t, Config{URLs: []string{"ws://" + f.host + f.path}})
	ctx := testContext(t)
	seen := func(name, set string) string {
		t.Helper()
		page, err := m.Space(name).Page(ctx)
		if err != nil {
			t.Fatal(err)
		}
		mustGoto(t, ctx, page, shared.server.URL+html("<p>x"))
		v, err := page.Evaluate(ctx, Script{Expression: "const before = document.cookie; document.cookie = '" + set + "'; before"})
		if err != nil {
			t.Fatal(err)
		}
		return string(v)
	}
	if got := seen(DefaultSpace, "login=default"); got != `""` {
		t.Errorf("the default space began with %s", got)
	}
	if got := seen("a", "login=a"); got != `""` {
		t.Errorf("a began with %s", got)
	}
	if got := seen("b", "login=b"); got != `""` {
		t.Errorf("b began with %s", got)
	}
	set := json.RawMessage(fmt.Sprintf(`{"cookies":[{"name":"user","value":"1","url":%q}]}`, shared.server.URL))
	if err := m.running().call(ctx, rawRequest{"Storage.setCookies", set}, nil); err != nil {
		t.Fatal(err)
	}
	if got := seen("c", "login=c"); got != `"user=1"` {
		t.Errorf("c began with %s", got)
	}
	if got := seen("a", "x=1"); got != `"login=a"` {
		t.Errorf("a has %s", got)
	}
}

// When the browser goes, the next that answers takes its place.
func TestAttachFailsOver(t *testing.T) {
	first, second := startForeignChrome(t), startForeignChrome(t)
	m := ownManager(t, Config{URLs: []string{"http://127.0.0.1:1", first.url(), second.url()}})
	ctx := testContext(t)
	page, err := m.Space("x").Page(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if got := m.running().path; got != first.url() {
		t.Fatalf("attached to %s", got)
	}
	failed := make(chan error, 1)
	go func() {
		_, err := page.Evaluate(ctx, Script{Expression: "new Promise(() => {})"})
		failed <- err
	}()
	first.kill()
	var gone *GoneError
	if err := <-failed; !errors.As(err, &gone) {
		t.Errorf("the call failed with %v", err)
	}
	if _, err := m.Space("x").Page(ctx); err != nil {
		t.Fatal(err)
	}
	if got := m.running().path; got != second.url() {
		t.Errorf("attached to %s", got)
	}
}

// Tabs that sleep, or do not answer for another reason, are not waited for.
func TestAttachBesideStoppedTabs(t *testing.T) {
	f := startForeignChrome(t, "--renderer-process-limit=2")
	for i := range 50 {
		f.open(fmt.Sprintf("%s/html?body=%d", shared.server.URL, i))
	}
	stopRenderers(t, f.proc.PID)
	m := ownManager(t, Config{URLs: []string{f.url()}})
	ctx := testContext(t)
	began := time.Now()
	if _, err := m.acquire(ctx); err != nil || time.Since(began) > 3*time.Second {
		t.Errorf("attached after %s: %v", time.Since(began), err)
	}
	if tabs := attachedTabs(t, ctx, m.running()); len(tabs) != 0 {
		t.Errorf("egod has sessions with %q", tabs)
	}
	if n := len(f.tabs()); n != 51 {
		t.Errorf("%d tabs are left", n)
	}
}

// answers makes a server that answers everything with a status and a body.
func answers(t testing.TB, status int, body string) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		io.WriteString(w, body)
	}))
	t.Cleanup(s.Close)
	return s
}

func TestAttachRefused(t *testing.T) {
	f := startForeignChrome(t)
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { silent.Close() })
	notFound, page, forbidden := answers(t, 404, ""), answers(t, 200, "<p>hello"), answers(t, 403, "")
	for _, c := range []struct{ name, url, reason, hint string }{
		{"nothing there", "http://127.0.0.1:1", "nothing answers there: connect: connection refused", "--remote-debugging-port"},
		{"nothing at the socket", "ws://127.0.0.1:1/devtools/browser/x", "nothing answers there: connect: connection refused", "--remote-debugging-port"},
		{"no answer", "http://" + silent.Addr().String(), "no answer within 5s", "--remote-debugging-port"},
		{"discovery answers 404", notFound.URL, "the port answers 404 to /json/version", "DevToolsActivePort"},
		{"a web page", page.URL, "what answers there is no browser (status 200", "--remote-debugging-port"},
		{"not allowed", "ws" + strings.TrimPrefix(forbidden.URL, "http"), "the browser refused the connection (status 403)", "chrome://inspect"},
		{"an old path", "ws://" + f.host + "/devtools/browser/of-yesterday", "there is no browser with that path (status 404)", "http:// address"},
		{"another scheme", "ftp://127.0.0.1:1", "ftp://127.0.0.1:1 does not begin with ws://", "--browser-url"},
		{"a secret in it", "http://user:secret@127.0.0.1:1/?token=secret", "http://127.0.0.1:1/: nothing answers there", "--remote-debugging-port"},
		{"a secret and no TLS", "https" + strings.TrimPrefix(page.URL, "http") + "/?token=secret", "does not answer as a browser: http: server gave HTTP response to HTTPS client", "--remote-debugging-port"},
		{"a secret and no TLS at the socket", "wss" + strings.TrimPrefix(page.URL, "http") + "/x?token=secret", "does not answer as a browser: http: server gave HTTP response to HTTPS client", "--remote-debugging-port"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m := ownManager(t, Config{URLs: []string{c.url}, Env: []string{"HOME=" + t.TempDir()}})
			_, err := m.Space("x").Page(testContext(t))
			var refused *UnavailableError
			if !errors.As(err, &refused) {
				t.Fatalf("got %v", err)
			}
			if !strings.Contains(err.Error(), c.reason) || !strings.Contains(refused.Hint, c.hint) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%v\nhint: %s", err, refused.Hint)
			}
		})
	}
}

// A window that closed before egod could attach to it is forgotten.
func TestClaimOfAClosedTab(t *testing.T) {
	f := startForeignChrome(t)
	m := ownManager(t, Config{URLs: []string{"http://" + f.host}})
	if _, err := m.Space("x").Page(testContext(t)); err != nil {
		t.Fatal(err)
	}
	c := m.running()
	claim := func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.claim("A-TAB-THAT-CLOSED", c.sets["x"])
	}
	claim()
	eventually(t, 10*time.Second, "no claim is left", func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.arrivals.claimed) == 0
	})
	c.conn.fail(errClosed)
	claim() // does not wait for itself
}

// A message that is too large is skipped, and the connection goes on.
func TestSocketSkipsWhatIsTooLarge(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := websocket.Accept(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		for _, text := range []string{"first", `{"id":7,` + strings.Repeat("x", 100_000), strings.Repeat("y", 1000), "last"} {
			if err := conn.Write(r.Context(), websocket.MessageText, []byte(text)); err != nil {
				t.Error(err)
			}
		}
		conn.Close(websocket.StatusNormalClosure, "")
	}))
	t.Cleanup(server.Close)
	s, _, err := dialSocket(testContext(t), server.Client(), "ws"+strings.TrimPrefix(server.URL, "http"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	s.limit = 1000
	var got []string
	for {
		frame, err := s.Read()
		var tooLarge *frameTooLargeError
		switch {
		case errors.Is(err, io.EOF):
			if want := []string{"first", `too large: {"id":7,xx of 100008`, strings.Repeat("y", 1000), "last"}; !slices.Equal(got, want) {
				t.Errorf("got %.80q, want %.80q", got, want)
			}
			return
		case errors.As(err, &tooLarge):
			got = append(got, fmt.Sprintf("too large: %s of %d", tooLarge.head[:10], tooLarge.size))
		case err != nil:
			t.Fatal(err)
		default:
			got = append(got, string(frame))
		}
	}
}

// A Chrome in which remote debugging was allowed tells its path in its profile alone.
func TestAttachByActivePort(t *testing.T) {
	asked := make(chan string, 10)
	fake := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.URL.Path
		if r.URL.Path != "/devtools/browser/here" {
			http.NotFound(w, r)
			return
		}
		answerCommands(w, r)
	}))
	defer fake.Close()
	home := t.TempDir()
	dir := filepath.Join(home, filepath.FromSlash(defaultProfiles()[0]))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	port := fake.Listener.Addr().(*net.TCPAddr).Port
	if err := os.WriteFile(filepath.Join(dir, "DevToolsActivePort"), fmt.Appendf(nil, "%d\n/devtools/browser/here", port), 0o600); err != nil {
		t.Fatal(err)
	}
	m := ownManager(t, Config{URLs: []string{fake.URL}, Env: []string{"HOME=" + home}})
	if _, err := m.acquire(testContext(t)); err != nil {
		t.Fatal(err)
	}
	if first, second := <-asked, <-asked; first != "/json/version" || second != "/devtools/browser/here" {
		t.Errorf("asked for %s, then %s", first, second)
	}
}

// answerCommands answers every command with an empty result.
func answerCommands(w http.ResponseWriter, r *http.Request) {
	conn, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	defer conn.CloseNow()
	for {
		_, frame, err := conn.Read(r.Context())
		if err != nil {
			return
		}
		var m struct{ ID int }
		if json.Unmarshal(frame, &m) != nil || conn.Write(r.Context(), websocket.MessageText, fmt.Appendf(nil, `{"id":%d,"result":{}}`, m.ID)) != nil {
			return
		}
	}
}

// A browser that nobody calls is let go, but for one in which a user is at work.
func TestIdleBrowserIsKeptForItsUser(t *testing.T) {
	f := startForeignChrome(t)
	ctx := testContext(t)
	cfg := Config{URLs: []string{f.url()}, IdleTimeout: 300 * time.Millisecond}
	kept, other := ownManager(t, cfg), ownManager(t, cfg)
	kept.Space("x").Keep(true)
	for _, m := range []*Manager{kept, other} {
		if _, err := m.Space("x").Page(ctx); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, 10*time.Second, "the one that nobody looks at is let go", func() bool { return !other.Running() })
	if !kept.Running() {
		t.Error("the other one was let go too")
	}
	kept.Space("x").Keep(false)
	eventually(t, 10*time.Second, "so is the one that the user left", func() bool { return !kept.Running() })
	eventually(t, 10*time.Second, "the user's tab alone", func() bool { return len(f.tabs()) == 1 })
}
