package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

const (
	// attachTimeout bounds the time until a Chrome at an address answers.
	attachTimeout = 5 * time.Second
	// consentTimeout is how long the user of a Chrome may take to allow the
	// connection, where Chrome asks.
	consentTimeout = time.Minute
	// discoveryLimit bounds what is read of an answer to discovery.
	discoveryLimit = 64 << 10
)

// attach connects to the first Chrome that answers.
func attach(ctx context.Context, cfg Config, trace func(string, []byte)) (*chrome, error) {
	var failures []string
	var causes []error
	hint := ""
	for _, address := range cfg.URLs {
		c, err := attachTo(ctx, cfg, address, trace)
		if err == nil {
			return c, nil
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		cfg.Logger.Debug("no browser", "url", shownURL(address), "error", err)
		var refused *attachError
		if errors.As(err, &refused) && hint == "" {
			hint = refused.hint
		}
		failures = append(failures, shownURL(address)+": "+oneLine(err.Error()))
		causes = append(causes, err)
	}
	return nil, &UnavailableError{ExitCode: -1, Reason: strings.Join(failures, "; "), Hint: hint, Cause: errors.Join(causes...)}
}

// attachError says why an address gave no browser, and what to do.
type attachError struct {
	reason string
	hint   string
}

func (e *attachError) Error() string { return e.reason }

// CheckURL reports what is wrong with the address of a running Chrome.
func CheckURL(address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return errors.New("what was given is not a URL") // and may hold a password
	}
	switch u.Scheme {
	case "ws", "wss", "http", "https":
	default:
		return fmt.Errorf("%s does not begin with ws://, wss://, http:// or https://", shownURL(address))
	}
	if u.Hostname() == "" {
		return fmt.Errorf("%s names no host", shownURL(address))
	}
	return nil
}

// shownURL is an address without what may be secret in it.
func shownURL(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "(no URL)"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

func attachTo(ctx context.Context, cfg Config, address string, trace func(string, []byte)) (*chrome, error) {
	if err := CheckURL(address); err != nil {
		return nil, &attachError{reason: err.Error(), hint: "give the address as --browser-url http://127.0.0.1:9222"}
	}
	// Straight to the address the user named: no proxy, and no redirect elsewhere.
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	endpoint, patience, err := endpointOf(ctx, cfg, client, address)
	if err != nil {
		return nil, err
	}
	dialing, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("no answer within %s", patience))
	defer cancel()
	transport, status, err := dialSocket(dialing, client, endpoint)
	if err != nil {
		return nil, dialFailure(dialing, status, err, patience)
	}
	return join(ctx, cfg, address, transport, trace)
}

// join makes a chrome of a connection.
func join(ctx context.Context, cfg Config, address string, t transport, trace func(string, []byte)) (*chrome, error) {
	sweepProfiles(ctx, cfg.TempDir, cfg.Logger)
	scratch, err := newPrivateProfile(cfg.TempDir)
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	c := newChrome(cfg, shownURL(address), nil, scratch)
	c.scratch = scratch.scratch
	c.conn = newConn(t, cfg.Logger, c.onEvent, c.onClose)
	c.conn.trace = trace
	c.conn.run()
	go c.reap()
	asking, cancel := context.WithTimeoutCause(ctx, attachTimeout, fmt.Errorf("no answer within %s", attachTimeout))
	defer cancel()
	if err := c.greet(asking); err != nil {
		c.conn.close(&GoneError{Cause: err})
		<-c.reaped
		return nil, err
	}
	cfg.Logger.Debug("attached to chrome", "url", c.path)
	return c, nil
}

// greet asks for news of tabs. It attaches to none: the tabs that are there are the
// user's, and may be asleep.
func (c *chrome) greet(ctx context.Context) error {
	var version proto.BrowserGetVersionResult
	if err := c.call(ctx, proto.BrowserGetVersion{}, &version); err != nil {
		return err
	}
	return c.call(ctx, proto.TargetSetDiscoverTargets{Discover: true, Filter: proto.TargetTargetFilter{{Type: "page"}}}, nil)
}

// leave closes the tabs of ours that no browser context of ours takes along.
func (c *chrome) leave(ctx context.Context) {
	c.mu.Lock()
	var ids []string
	for _, set := range c.sets {
		for _, p := range set.pages {
			if set.contextID == "" {
				ids = append(ids, p.targetID)
			}
		}
	}
	c.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, exitGrace)
	defer cancel()
	for _, id := range ids {
		if err := c.call(ctx, proto.TargetCloseTarget{TargetID: proto.TargetTargetID(id)}, nil); err != nil {
			c.log.Debug("leaving a tab", "error", err)
		}
	}
}

// endpointOf finds the websocket of a browser: the address itself, or what the
// address tells. patience is how long a connection may take.
func endpointOf(ctx context.Context, cfg Config, client *http.Client, address string) (endpoint string, patience time.Duration, err error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", 0, err
	}
	if u.Scheme == "ws" || u.Scheme == "wss" {
		return address, attachTimeout, nil
	}
	asking, cancel := context.WithTimeoutCause(ctx, attachTimeout, fmt.Errorf("no answer within %s", attachTimeout))
	defer cancel()
	status, body, err := discover(asking, client, u)
	if err != nil {
		return "", 0, dialFailure(asking, 0, err, attachTimeout)
	}
	if status == http.StatusNotFound {
		path, err := activePort(cfg.Env, u)
		return path, consentTimeout, err
	}
	var version struct {
		URL string `json:"webSocketDebuggerUrl"`
	}
	if status == http.StatusOK && json.Unmarshal(body, &version) == nil {
		if told, err := url.Parse(version.URL); err == nil && told.Path != "" {
			return webSocket(u, told.Path, told.RawQuery), attachTimeout, nil
		}
	}
	return "", 0, &attachError{
		reason: fmt.Sprintf("what answers there is no browser (status %d for /json/version)", status),
		hint:   "give the address of a Chrome that was started with --remote-debugging-port=PORT --user-data-dir=DIR",
	}
}

// webSocket is the address of a path at the host the user named: what a browser
// tells of its own host holds for where it runs.
func webSocket(u *url.URL, path, query string) string {
	at := url.URL{Scheme: "ws", User: u.User, Host: u.Host, Path: path, RawQuery: query}
	if u.Scheme == "https" {
		at.Scheme = "wss"
	}
	if query == "" {
		at.RawQuery = u.RawQuery // where a farm takes its token
	}
	return at.String()
}

func discover(ctx context.Context, client *http.Client, u *url.URL) (status int, body []byte, err error) {
	at := *u
	at.Path = strings.TrimRight(u.Path, "/") + "/json/version"
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
	if err != nil {
		return 0, nil, err
	}
	res, err := client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	body, err = io.ReadAll(io.LimitReader(res.Body, discoveryLimit))
	return res.StatusCode, body, err
}

// activePort finds the way into the user's own Chrome: with remote debugging
// allowed at chrome://inspect (Chrome 144 and later) its port tells nothing, and the
// path stands in a file of its profile.
func activePort(env []string, u *url.URL) (string, error) {
	missing := &attachError{
		reason: "the port answers 404 to /json/version, as a Chrome does where remote debugging was allowed at chrome://inspect",
		hint:   "give the whole address: ws://127.0.0.1:PORT and the second line of the file DevToolsActivePort in its profile directory; then allow the connection in Chrome",
	}
	host := u.Hostname()
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return "", missing
	}
	home := homeDir(env)
	if home == "" {
		return "", missing
	}
	for _, rel := range defaultProfiles() {
		text, err := os.ReadFile(filepath.Join(home, filepath.FromSlash(rel), "DevToolsActivePort"))
		if err != nil {
			continue
		}
		port, path, ok := strings.Cut(strings.TrimSpace(string(text)), "\n")
		if path = strings.TrimSpace(path); ok && strings.TrimSpace(port) == u.Port() && strings.HasPrefix(path, "/") {
			return webSocket(u, path, ""), nil
		}
	}
	return "", missing
}

// dialFailure says in plain words why a connection did not come about.
func dialFailure(ctx context.Context, status int, err error, patience time.Duration) error {
	const start = "start Chrome with --remote-debugging-port=PORT --user-data-dir=DIR, or allow remote debugging at chrome://inspect/#remote-debugging"
	switch {
	case status == http.StatusForbidden:
		return &attachError{
			reason: "the browser refused the connection (status 403)",
			hint:   "allow the connection in Chrome: it asks there, and chrome://inspect/#remote-debugging has the switch",
		}
	case status == http.StatusNotFound:
		return &attachError{
			reason: "there is no browser with that path (status 404)",
			hint:   "the path changes with every start of the browser: give its http:// address, which leads to it",
		}
	case status != 0 && status != http.StatusSwitchingProtocols:
		return &attachError{reason: fmt.Sprintf("it does not speak the protocol of DevTools (status %d)", status), hint: start}
	case ctx.Err() != nil && patience == consentTimeout:
		return &attachError{reason: context.Cause(ctx).Error(), hint: "allow the connection in Chrome, which asks for it"}
	case ctx.Err() != nil:
		return &attachError{reason: context.Cause(ctx).Error(), hint: start}
	}
	var op *net.OpError
	if errors.As(err, &op) {
		return &attachError{reason: "nothing answers there: " + op.Err.Error(), hint: start}
	}
	var asked *url.Error
	if errors.As(err, &asked) {
		err = asked.Err // it shows the address with what is secret in it
	}
	return &attachError{reason: "it does not answer as a browser: " + err.Error(), hint: start}
}
