package browser

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// startTimeout bounds the time from exec to Chrome's first answer.
const startTimeout = 30 * time.Second

// stderrLines is how much of Chrome's output an error shows.
const stderrLines = 8

// launch starts a Chrome and waits until it answers. Everything it made is undone
// when it fails. ctx bounds the start only; the result lives until close.
func launch(ctx context.Context, cfg Config, trace func(string, []byte)) (*chrome, error) {
	path, _, err := Find(cfg.Chrome)
	if err != nil {
		return nil, err
	}
	sweepProfiles(ctx, cfg.TempDir, cfg.Logger)
	prof, err := openProfile(cfg.Profile, cfg.TempDir, cfg.Env)
	if err != nil {
		return nil, unavailable(path, "its profile could not be prepared", err)
	}
	proc, pipe, err := startProcess(path, chromeArgs(cfg, prof), shortTemp(cfg.Env))
	if err != nil {
		closeErr := prof.close(ctx)
		return nil, unavailable(path, "it could not be started", errors.Join(err, closeErr))
	}
	c := newChrome(cfg, path, proc, prof)
	c.scratch = prof.scratch
	c.conn = newConn(pipe, cfg.Logger, c.onEvent, c.onClose)
	c.conn.endCause = c.whyEnded
	c.conn.trace = trace
	c.conn.run()
	go c.reap()
	if err := c.handshake(ctx); err != nil {
		return nil, c.startFailure(err)
	}
	prof.socket.Store(linkedSocket(prof.dir))
	cfg.Logger.Debug("chrome started", "path", path, "pid", proc.PID, "profile", prof.dir)
	return c, nil
}

// maxSocketPath is how long the path of a Unix socket may be where that is least.
const maxSocketPath = 103

// shortTemp gives Chrome a temporary directory in which the path of its singleton
// socket fits: it aborts when it does not. An environment whose own does is left
// as it is; nil, which stands for egod's, too.
func shortTemp(env []string) []string {
	const socket = "/org.chromium.Chromium.XXXXXX/SingletonSocket"
	for _, entry := range env {
		if dir, ok := strings.CutPrefix(entry, "TMPDIR="); ok && len(dir)+len(socket) > maxSocketPath {
			return append(slices.Clone(env), "TMPDIR=/tmp")
		}
	}
	return env
}

func unavailable(path, reason string, cause error) error {
	var already *UnavailableError
	if errors.As(cause, &already) {
		return already
	}
	return &UnavailableError{
		Path: path, ExitCode: -1, Reason: fmt.Sprintf("%s: %v", reason, cause), Cause: cause,
		Hint: "run the binary by hand to see what it needs, or choose another with --chrome",
	}
}

func (c *chrome) handshake(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, startTimeout, fmt.Errorf("no answer within %s", startTimeout))
	defer cancel()
	version := proto.BrowserGetVersion{}
	if _, err := c.conn.Call(ctx, "", version.ProtoReq(), nil); err != nil {
		return err
	}
	attach := proto.TargetSetAutoAttach{
		AutoAttach: true, WaitForDebuggerOnStart: true, Flatten: true,
		Filter: proto.TargetTargetFilter{{Type: "page"}},
	}
	if _, err := c.conn.Call(ctx, "", attach.ProtoReq(), attach); err != nil {
		return err
	}
	c.allowDownloads("")
	return nil
}

// startFailure ends a Chrome that did not come up and tells why in its own words.
func (c *chrome) startFailure(cause error) error {
	c.conn.close(&GoneError{Cause: cause})
	<-c.reaped
	e := &UnavailableError{
		Path: c.path, ExitCode: c.proc.ExitCode(), Stderr: c.proc.Stderr(stderrLines), Cause: cause,
		Hint: "run the binary by hand to see what it needs, or choose another with --chrome",
	}
	switch {
	case e.ExitCode >= 0:
		e.Reason = fmt.Sprintf("it ended with exit code %d before it answered", e.ExitCode)
	default:
		e.Reason = "it did not come up: " + cause.Error()
	}
	if strings.Contains(e.Stderr, "no-sandbox") {
		e.Hint = "chrome's sandbox does not work for this user: allow user namespaces, or pass --no-sandbox"
	}
	return e
}

// chromeArgs are the flags of every Chrome egod starts. Each group says what it
// keeps Chrome from doing behind the caller's back.
func chromeArgs(cfg Config, prof *profile) []string {
	args := []string{
		"--user-data-dir=" + prof.dir,
		// No dialogs, bubbles or windows of Chrome itself.
		"--no-first-run", "--no-default-browser-check", "--no-startup-window", "--hide-crash-restore-bubble",
		"--disable-search-engine-choice-screen", "--disable-prompt-on-repost", "--disable-popup-blocking",
		// No traffic of its own.
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-default-apps",
		"--disable-client-side-phishing-detection", "--disable-domain-reliability", "--no-pings", "--disable-quic",
		"--metrics-recording-only", "--disable-breakpad", "--disable-crash-reporter", "--no-service-autorun",
		// No keychain prompts.
		"--password-store=basic", "--use-mock-keychain",
		// Tabs in the background work like the one in front, and stay one document per navigation.
		"--disable-background-timer-throttling", "--disable-backgrounding-occluded-windows",
		"--disable-renderer-backgrounding", "--disable-ipc-flooding-protection", "--disable-back-forward-cache",
		"--disable-hang-monitor", "--force-color-profile=srgb", "--window-size=1280,800",
	}
	if !cfg.Headed {
		args = append(args, "--headless=new", "--hide-scrollbars", "--mute-audio", "--disable-gpu")
	}
	if prof.private {
		args = append(args, "--disable-extensions", "--disable-component-extensions-with-background-pages")
	}
	if cfg.NoSandbox || isRoot() {
		args = append(args, "--no-sandbox")
	}
	if runtime.GOOS == "linux" {
		args = append(args, "--disable-dev-shm-usage") // /dev/shm of containers is often 64 MB
	}
	disabled := []string{
		"Translate", "OptimizationHints", "MediaRouter", "DialMediaRouteProvider", "InterestFeedContentSuggestions",
		"CertificateTransparencyComponentUpdater", "AutofillServerCommunication", "DestroyProfileOnBrowserClose",
		"HttpsUpgrades", "PaintHolding", "Prerender2",
		// Pages of Chrome's own for the address bar, loaded beside each window: half a
		// second of processor time for every space.
		"WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup",
	}
	const disableFeatures = "--disable-features="
	var extra []string
	for _, arg := range cfg.Args { // Chrome takes only the last list of features
		if list, ok := strings.CutPrefix(arg, disableFeatures); ok {
			disabled = append(disabled, list)
			continue
		}
		extra = append(extra, arg)
	}
	args = append(args, disableFeatures+strings.Join(disabled, ","))
	return append(args, extra...)
}

// isRoot reports whether Chrome's sandbox would refuse to run for us.
func isRoot() bool { return runtime.GOOS == "linux" && os.Geteuid() == 0 }

// newToken is an unguessable JavaScript identifier.
func newToken() string {
	var b [12]byte
	rand.Read(b[:]) // never fails since Go 1.24
	return "egod_" + hex.EncodeToString(b[:])
}
