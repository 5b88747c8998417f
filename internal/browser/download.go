package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/go-rod/rod/lib/proto"
)

// Download is a file that a page sent to be saved. It lies under a generated name
// in a directory that goes with its Chrome.
type Download struct {
	URL       string
	Suggested string // file name the page asked for, made safe

	path string
	page *Page
	// state is "inProgress", "completed" or "canceled"; guarded by page.mu.
	state string
}

// downloadDir is where the files of this Chrome go.
func (c *chrome) downloadDir() string { return filepath.Join(c.scratch, "downloads") }

// allowDownloads has the files of a browser context stored under their GUIDs.
func (c *chrome) allowDownloads(contextID string) {
	req := proto.BrowserSetDownloadBehavior{
		Behavior: proto.BrowserSetDownloadBehaviorBehaviorAllowAndName, BrowserContextID: proto.BrowserBrowserContextID(contextID),
		DownloadPath: c.downloadDir(), EventsEnabled: true,
	}
	c.conn.start("", req.ProtoReq(), req, func(r reply) {
		if r.err != nil {
			c.log.Warn("downloads are off", "error", r.err)
		}
	})
}

// downloadBegan and downloadProgress run on the reader.
func (c *chrome) downloadBegan(e event) {
	var p struct {
		FrameID           string `json:"frameId"`
		GUID              string `json:"guid"`
		URL               string `json:"url"`
		SuggestedFilename string `json:"suggestedFilename"`
	}
	if json.Unmarshal(e.Params, &p) != nil {
		return
	}
	page := c.pageOfFrame(p.FrameID)
	if page == nil {
		return
	}
	d := &Download{
		URL: p.URL, Suggested: safeFileName(p.SuggestedFilename), path: filepath.Join(c.downloadDir(), filepath.Base(p.GUID)), page: page, state: "inProgress",
	}
	c.mu.Lock()
	c.downloads[p.GUID] = d
	c.mu.Unlock()
	page.mu.Lock()
	page.nav = navigation{} // a navigation that became a download leaves the document
	page.broadcast()
	page.mu.Unlock()
	c.tellOfDownload(page, d)
}

// tellOfDownload reports a download to its page. A window that was opened for nothing
// but the download shows no document, and Chrome closes it: whoever opened it is told.
func (c *chrome) tellOfDownload(page *Page, d *Download) {
	for page != nil {
		page.mu.Lock()
		page.report(Event{Kind: EventDownload, Download: d})
		blank := page.doc.url == "" || page.doc.url == "about:blank"
		page.mu.Unlock()
		if !blank {
			return
		}
		page = c.pageOfTarget(page.openerID)
	}
}

func (c *chrome) downloadProgress(e event) {
	var p struct {
		GUID  string `json:"guid"`
		State string `json:"state"`
	}
	if json.Unmarshal(e.Params, &p) != nil || p.State == "inProgress" {
		return
	}
	c.mu.Lock()
	d := c.downloads[p.GUID]
	delete(c.downloads, p.GUID)
	c.mu.Unlock()
	if d == nil {
		return
	}
	d.page.mu.Lock()
	defer d.page.mu.Unlock()
	d.state = p.State
	d.page.broadcast()
}

// pageOfFrame finds the tab that a frame is in, also one that is not in a set yet, or
// whose frames are not known yet: the main frame has the id of its tab.
func (c *chrome) pageOfFrame(frameID string) *Page {
	c.mu.Lock()
	var pages []*Page
	for _, a := range c.sessions {
		if a.session == a.page.session {
			pages = append(pages, a.page)
		}
	}
	c.mu.Unlock()
	for _, p := range pages {
		p.mu.Lock()
		_, ok := p.frames[frameID]
		p.mu.Unlock()
		if ok || p.targetID == frameID {
			return p
		}
	}
	return nil
}

// Path waits until the file is complete and returns where it lies.
func (d *Download) Path(ctx context.Context) (string, error) {
	c := d.page.chrome // which goes on with the download when the page is closed
	err := await(ctx, &d.page.mu, &d.page.changed, c.conn.done, &c.conn.err, func() bool { return d.state != "inProgress" })
	if err != nil {
		return "", pageError("download", d.URL, err)
	}
	d.page.mu.Lock()
	defer d.page.mu.Unlock()
	if d.state == "canceled" {
		return "", &PageError{Op: "", URL: d.URL, Reason: "Download canceled: " + d.Suggested}
	}
	return d.path, nil
}

// SaveAs waits until the file is complete and copies it to a path, making its directories.
func (d *Download) SaveAs(ctx context.Context, to string) error {
	from, err := d.Path(ctx)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return fmt.Errorf("saving the download %s: %w", d.Suggested, err)
	}
	if err := copyWhole(from, to); err != nil {
		return fmt.Errorf("saving the download %s: %w", d.Suggested, err)
	}
	return nil
}

// copyWhole copies a file. What was at the place stays until the copy is complete.
func copyWhole(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.CreateTemp(filepath.Dir(to), ".egod-*.part")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(out.Name()))
		}
	}()
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Chmod(0o644), out.Close()); err != nil {
		return err
	}
	return os.Rename(out.Name(), to)
}
