package browser

import (
	"os"
	"testing"
)

// A window that is opened for a download shows nothing and is closed at once; the page
// that opened it is told.
func TestDownloadInAWindow(t *testing.T) {
	for name, open := range map[string]string{
		"window":   `open("/download")`,
		"noopener": `open("/download", "", "noopener")`,
		"link":     `Object.assign(document.createElement("a"), { href: "/download", target: "_blank" }).click()`,
		"later":    `open("about:blank").location = "/download"`,
		"nested":   `open("about:blank").open("/download")`,
		"frame":    `document.querySelector("iframe").contentWindow.postMessage("", "*")`,
	} {
		t.Run(name, func(t *testing.T) {
			page, ctx := newTestPage(t, html(`<iframe src="`+otherSite()+html(`<script>onmessage = () => open("/download")</script>`)+`"></iframe>`))
			w := page.Watch(EventDownload)
			defer w.Close()
			mustEvaluate(t, ctx, page, open+"; 0")
			e, err := w.WaitFor(ctx, 0)
			if err != nil {
				t.Fatal(err)
			}
			path, err := e.Download.Path(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if data, err := os.ReadFile(path); err != nil || string(data) != "sample content" {
				t.Errorf("%q, %v", data, err)
			}
		})
	}
}

// A download of a page that shows something is that page's own affair.
func TestDownloadInAnotherTab(t *testing.T) {
	page, ctx := newTestPage(t, html("<p>opener"))
	w := page.Watch(EventDownload, EventPopup)
	defer w.Close()
	mustEvaluate(t, ctx, page, `open("`+html(`<script>location = "/download"</script>`)+`"); 0`)
	e, err := w.Next(ctx)
	if err != nil {
		t.Fatal(err)
	}
	c := page.chrome
	popup := c.pageOfTarget(e.Popup)
	if popup == nil {
		t.Fatalf("the first event is %+v", e)
	}
	own := popup.Watch(EventDownload)
	defer own.Close()
	if d, err := own.WaitFor(ctx, 0); err != nil || d.Download.Suggested != "_passwd.txt" {
		t.Errorf("the other tab: %+v, %v", d, err)
	}
	if e, more := w.take(); more {
		t.Errorf("the opener was told of %+v", e)
	}
}
