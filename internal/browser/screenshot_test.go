package browser

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg"
	_ "image/png"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

func shot(t *testing.T, data []byte, err error) (image.Image, string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	img, format, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img, format
}

func near(a, b color.Color) bool {
	ar, ag, ab, _ := a.RGBA()
	br, bg, bb, _ := b.RGBA()
	diff := func(x, y uint32) bool { return max(x, y)-min(x, y) < 0x2000 }
	return diff(ar, br) && diff(ag, bg) && diff(ab, bb)
}

func TestScreenshot(t *testing.T) {
	page, ctx := newTestPage(t, html(`<body style="margin:0"><div style="height:1000px;background:#f00"></div><div id=blue style="height:1000px;background:#00f"></div><b id=gone style="display:none"></b>`))
	red, blue := color.RGBA{255, 0, 0, 255}, color.RGBA{0, 0, 255, 255}
	info, err := page.Info(ctx)
	if err != nil {
		t.Fatal(err)
	}
	take := func(o ScreenshotOptions) (image.Image, string) {
		t.Helper()
		data, err := page.Screenshot(ctx, o)
		return shot(t, data, err)
	}
	img, format := take(ScreenshotOptions{})
	if format != "png" || img.Bounds().Dx() != int(info.W) || img.Bounds().Dy() != int(info.H) || !near(img.At(5, 5), red) {
		t.Errorf("viewport: %s %v %v", format, img.Bounds(), img.At(5, 5))
	}
	if _, err := page.Evaluate(ctx, Script{Expression: "scrollTo(0, 1200)"}); err != nil {
		t.Fatal(err)
	}
	if img, _ = take(ScreenshotOptions{}); !near(img.At(5, 5), blue) {
		t.Errorf("scrolled viewport shows %v", img.At(5, 5))
	}
	img, format = take(ScreenshotOptions{FullPage: true, Format: "jpeg", Quality: 80})
	if format != "jpeg" || img.Bounds().Dy() != 2000 || !near(img.At(5, 5), red) || !near(img.At(5, 1990), blue) {
		t.Errorf("full page: %s %v", format, img.Bounds())
	}
	img, _ = take(ScreenshotOptions{Clip: &Box{X: 10, Y: 990, Width: 30, Height: 20}, Scale: 2})
	if img.Bounds().Dx() != 60 || img.Bounds().Dy() != 40 {
		t.Errorf("clip with a scale of 2: %v", img.Bounds())
	}
	img, _ = take(ScreenshotOptions{Clip: &Box{X: 10, Y: 990, Width: 30, Height: 20}})
	if img.Bounds().Dx() != 30 || img.Bounds().Dy() != 20 || !near(img.At(5, 2), red) || !near(img.At(5, 18), blue) {
		t.Errorf("clip: %v %v %v", img.Bounds(), img.At(5, 2), img.At(5, 18))
	}
	data, err := page.Locator("#blue").Screenshot(ctx, ScreenshotOptions{}, 0)
	if img, _ = shot(t, data, err); img.Bounds().Dy() != 1000 || !near(img.At(5, 5), blue) {
		t.Errorf("element: %v", img.Bounds())
	}
	if data, err := page.Screenshot(ctx, ScreenshotOptions{Format: "webp"}); err != nil || !bytes.HasPrefix(data, []byte("RIFF")) {
		t.Errorf("webp: %v", err)
	}
	for want, try := range map[string]func(context.Context) error{
		"unknown format": func(ctx context.Context) error {
			_, err := page.Screenshot(ctx, ScreenshotOptions{Format: "gif"})
			return err
		},
		"quality": func(ctx context.Context) error {
			_, err := page.Screenshot(ctx, ScreenshotOptions{Quality: 101})
			return err
		},
		"not visible": func(ctx context.Context) error {
			_, err := page.Locator("#gone").Screenshot(ctx, ScreenshotOptions{}, 100e6)
			return err
		},
	} {
		if err := try(ctx); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// A window that nobody sees draws only what is asked for.
func TestCaptureUrgesAPageThatDoesNotDraw(t *testing.T) {
	p := newFakePeer(t, nil)
	s := newSession(p.conn, "", "tab")
	var res proto.PageCaptureScreenshotResult
	done := make(chan error, 1)
	go func() {
		done <- s.ask(captureScreenshot{Format: "png"}).waitUrging(t.Context(), &res, time.Millisecond, func() {
			s.send(proto.RuntimeEvaluate{Expression: drawAgain})
		})
	}()
	shot, method := p.receive()
	if method != "Page.captureScreenshot" {
		t.Fatalf("first command is %s", method)
	}
	if _, method := p.receive(); method != "Runtime.evaluate" {
		t.Errorf("without an answer comes %s", method)
	}
	go io.Copy(io.Discard, p.in)
	p.send(fmt.Sprintf(`{"id":%d,"result":{"data":"eA=="}}`, shot))
	if err := <-done; err != nil || string(res.Data) != "x" {
		t.Errorf("%q, %v", res.Data, err)
	}
}

// Drawing again is no change of the page: nothing that looks for changes notices.
func TestDrawAgainIsNotSeen(t *testing.T) {
	page, ctx := newTestPage(t, html(`<body style="opacity:.5"><script>
window.seen = 0;
new MutationObserver((all) => { seen += all.length }).observe(document, { subtree: true, attributes: true, childList: true });
for (const type of ["resize", "scroll", "animationstart", "transitionrun", "focus", "blur"]) addEventListener(type, () => seen++, true);
</script>`))
	w, err := page.isolatedWorld(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.session.call(ctx, proto.RuntimeEvaluate{Expression: drawAgain, UniqueContextID: w.uniqueID}, nil); err != nil {
		t.Fatal(err)
	}
	got, err := page.Evaluate(ctx, Script{Expression: `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(seen + " " + document.getAnimations().length))))`})
	if err != nil || string(got) != `"0 1"` {
		t.Errorf("%s, %v", got, err)
	}
}
