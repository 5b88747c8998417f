package ops

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"egod/internal/browser"
)

// watchRows are behind page.waitForRequest, waitForResponse and waitForEvent:
// the facade opens a view on the page's events, judges them in JavaScript one by
// one, and closes it.
func watchRows() []*Operation {
	return []*Operation{
		define(spec{name: "watch.open", doc: "Begin to keep events of the page."}, openWatch),
		define(spec{name: "watch.next", doc: "Return the next event."}, nextEvent),
		define(spec{name: "watch.close", doc: "Forget the events that were kept."}, closeWatch),
		define(spec{name: "watch.body", doc: "Return the body of a response in base64."}, responseBody),
		define(spec{name: "watch.downloadPath", doc: "Wait for a download and return the path of a copy that the run may read."}, downloadPath),
		define(spec{name: "watch.saveDownload", doc: "Wait for a download and copy it to a path."}, saveDownload),
	}
}

// watchSet holds the views of one run. Events that were handed out stay with
// their view, so that a body can be asked for later; all of it ends with the run.
type watchSet struct {
	mu     sync.Mutex
	last   int
	open   map[int]*openedWatch
	events map[int]keptEvent
}

// keptEvent is an event and the page it happened on, which need not be the
// current one when more is asked about it.
type keptEvent struct {
	browser.Event
	page *browser.Page
}

type openedWatch struct {
	watch *browser.Watch
	page  *browser.Page
}

// maxWatches bounds the views of a run, and keptEvents what it can ask about.
const (
	maxWatches = 100
	keptEvents = 10_000
)

func (w *watchSet) add(opened *openedWatch) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.open) >= maxWatches {
		opened.watch.Close()
		return 0, Errorf(KindLimitExceeded, "%d waits for events are open, which is the most a run may have", maxWatches).With("limit", "waits")
	}
	if w.open == nil {
		w.open, w.events = make(map[int]*openedWatch), make(map[int]keptEvent)
	}
	w.last++
	w.open[w.last] = opened
	return w.last, nil
}

func (w *watchSet) get(id int) (*openedWatch, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	opened, ok := w.open[id]
	if !ok {
		return nil, Errorf(KindInvalidParams, "there is no wait for events %d", id)
	}
	return opened, nil
}

// keep remembers an event that was handed out and returns its number.
func (w *watchSet) keep(e keptEvent) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.last++
	if len(w.events) < keptEvents {
		w.events[w.last] = e
	}
	return w.last
}

func (w *watchSet) event(number int) (keptEvent, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	e, ok := w.events[number]
	if !ok {
		return e, Errorf(KindInvalidParams, "event %d is not kept", number)
	}
	return e, nil
}

func (w *watchSet) close(id int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if opened, ok := w.open[id]; ok {
		opened.watch.Close()
		delete(w.open, id)
	}
}

func (w *watchSet) closeAll() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, opened := range w.open {
		opened.watch.Close()
	}
	w.open, w.events = nil, nil
}

type openWatchParams struct {
	Kind browser.EventKind `json:"kind" doc:"request, response, download, dialog, popup or console"`
}

var eventKinds = []browser.EventKind{
	browser.EventRequest, browser.EventResponse, browser.EventDownload, browser.EventDialog, browser.EventPopup, browser.EventConsole,
}

func openWatch(ctx context.Context, sc *Scope, p openWatchParams) (int, error) {
	if !slices.Contains(eventKinds, p.Kind) {
		return 0, invalidParam("$.event", "download, dialog, popup or console", string(p.Kind),
			"page.waitForEvent knows the events download, dialog, popup and console")
	}
	page, err := sc.page(ctx)
	if err != nil {
		return 0, err
	}
	return sc.place.watches.add(&openedWatch{watch: page.Watch(p.Kind), page: page})
}

type nextEventParams struct {
	ID      int          `json:"id" doc:"what watch.open returned"`
	Timeout Milliseconds `json:"timeout" doc:"milliseconds to wait"`
}

// pageEvent is an event as the facade takes it. Number is what a body or a file
// is asked for with; 0 says that no event came in time.
type pageEvent struct {
	Number   int                     `json:"number"`
	Request  *browser.Request        `json:"request,omitempty"`
	Response *browser.Response       `json:"response,omitempty"`
	Console  *browser.ConsoleMessage `json:"console,omitempty"`
	Dialog   *browser.Dialog         `json:"dialog,omitempty"`
	Popup    string                  `json:"popup,omitempty"`
	Download *downloadRef            `json:"download,omitempty"`
}

type downloadRef struct {
	URL       string `json:"url"`
	Suggested string `json:"suggestedFilename"`
}

func nextEvent(ctx context.Context, sc *Scope, p nextEventParams) (pageEvent, error) {
	opened, err := sc.place.watches.get(p.ID)
	if err != nil {
		return pageEvent{}, err
	}
	waiting, cancel := context.WithTimeout(ctx, p.Timeout.value())
	defer cancel()
	e, err := opened.watch.Next(waiting)
	if err != nil {
		if waiting.Err() != nil && ctx.Err() == nil {
			return pageEvent{}, nil
		}
		return pageEvent{}, err
	}
	out := pageEvent{
		Number: sc.place.watches.keep(keptEvent{e, opened.page}), Request: e.Request, Response: e.Response, Console: e.Console, Dialog: e.Dialog, Popup: e.Popup,
	}
	if e.Download != nil {
		out.Download = &downloadRef{URL: e.Download.URL, Suggested: e.Download.Suggested}
	}
	return out, nil
}

type watchIDParams struct {
	ID int `json:"id" doc:"what watch.open returned"`
}

func closeWatch(_ context.Context, sc *Scope, p watchIDParams) (Nothing, error) {
	sc.place.watches.close(p.ID)
	return Nothing{}, nil
}

type eventParams struct {
	Number int `json:"number" doc:"number of the event"`
}

func responseBody(ctx context.Context, sc *Scope, p eventParams) (string, error) {
	e, err := sc.place.watches.event(p.Number)
	if err != nil || e.Response == nil {
		return "", err
	}
	if _, err := sc.browserSpace(ctx); err != nil { // a user may have control by now
		return "", err
	}
	body, err := e.page.ResponseBody(ctx, e.Response)
	return base64.StdEncoding.EncodeToString(body), err
}

func (sc *Scope) download(number int) (*browser.Download, error) {
	e, err := sc.place.watches.event(number)
	if err == nil && e.Download == nil {
		err = Errorf(KindInvalidParams, "event %d is not a download", number)
	}
	return e.Download, err
}

func downloadPath(ctx context.Context, sc *Scope, p eventParams) (string, error) {
	download, err := sc.download(p.Number)
	if err != nil {
		return "", err
	}
	// Chrome's own copy lies in no directory that a run may read, and goes with
	// its Chrome.
	extension := strings.TrimPrefix(filepath.Ext(download.Suggested), ".")
	path, err := sc.newFile("download", cmp.Or(extension, "bin"))
	if err != nil {
		return "", err
	}
	sc.note.download(download.URL, path)
	return path, saved(path, download.SaveAs(ctx, path))
}

type saveDownloadParams struct {
	eventParams
	Path string `json:"path" doc:"absolute path, below --allow-fs"`
}

func saveDownload(ctx context.Context, sc *Scope, p saveDownloadParams) (string, error) {
	path, err := sc.writable(p.Path)
	if err != nil {
		return "", err
	}
	download, err := sc.download(p.Number)
	if err != nil {
		return "", err
	}
	sc.note.download(download.URL, path)
	return p.Path, saved(path, download.SaveAs(ctx, path))
}

// saved tells a file that could not be written from a download that failed.
func saved(path string, err error) error {
	var file *fs.PathError
	if errors.As(err, &file) {
		return unwritable(path, file)
	}
	return err
}
