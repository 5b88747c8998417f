package browser

import (
	"context"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// ScreenshotOptions says what is captured and how.
type ScreenshotOptions struct {
	Format   string  // "png" (default), "jpeg" or "webp"
	Quality  int     // 1 to 100 for jpeg and webp; 0: Chrome's default
	FullPage bool    // the whole document instead of the viewport
	Clip     *Box    // part of the document, in CSS px from its top left corner
	Scale    float64 // of a Clip, pixels of the picture for one of the clip's; 0: as Raw says
	Raw      bool    // device pixels, as Chrome gives them; else one pixel per CSS px

	inView bool // Clip is of the viewport, not of the document
}

// captureScreenshot is Page.captureScreenshot.
type captureScreenshot struct {
	Format                string       `json:"format"`
	Quality               int          `json:"quality,omitempty"`
	Clip                  *captureClip `json:"clip,omitempty"`
	CaptureBeyondViewport bool         `json:"captureBeyondViewport,omitempty"`
	OptimizeForSpeed      bool         `json:"optimizeForSpeed,omitempty"`
}

type captureClip struct {
	Box
	Scale float64 `json:"scale"`
}

func (captureScreenshot) ProtoReq() string { return "Page.captureScreenshot" }

// Screenshot captures the viewport as it is scrolled, the whole page or a clip.
func (p *Page) Screenshot(ctx context.Context, o ScreenshotOptions) ([]byte, error) {
	const op = "screenshot"
	switch o.Format {
	case "":
		o.Format = "png"
	case "png", "jpeg", "webp":
	default:
		return nil, &PageError{Op: op, Permanent: true, Reason: "unknown format " + o.Format, Hint: "use png, jpeg or webp"}
	}
	if o.Quality < 0 || o.Quality > 100 {
		return nil, &PageError{Op: op, Permanent: true, Reason: "quality is not between 0 and 100"}
	}
	if err := p.begin(ctx); err != nil {
		return nil, pageError(op, "", err)
	}
	if d := p.openDialog(); d != nil {
		return nil, pageError(op, p.url(), dialogInTheWay(d, nil))
	}
	req := captureScreenshot{Format: o.Format, Quality: o.Quality}
	if err := p.frameShot(ctx, o, &req); err != nil {
		return nil, pageError(op, p.url(), err)
	}
	var res proto.PageCaptureScreenshotResult
	if err := p.capture(ctx, req, &res); err != nil {
		return nil, pageError(op, p.url(), err)
	}
	return res.Data, nil
}

// drawEvery is how often a page that does not draw is made to.
const drawEvery = 200 * time.Millisecond

// drawAgain makes the page draw a frame that looks as the last one did. An animation
// to where the page is does that, and none of its observers and listeners notice.
const drawAgain = `(() => {
  const root = document.documentElement;
  const opacity = root && getComputedStyle(root).opacity;
  if (root) root.animate([{ opacity }, { opacity }], 100);
})()`

// capture takes a picture of the next frame. In a minimised window there is none
// before something in the page changes (ego-lite #293).
func (p *Page) capture(ctx context.Context, req captureScreenshot, res *proto.PageCaptureScreenshotResult) error {
	w, err := p.isolatedWorld(ctx)
	if err != nil {
		return err
	}
	s := p.screen()
	if err := s.ended(ctx); err != nil {
		return err
	}
	return s.ask(req).waitUrging(ctx, res, drawEvery, func() {
		w.session.send(proto.RuntimeEvaluate{Expression: drawAgain, UniqueContextID: w.uniqueID})
	})
}

// frameShot chooses the part of the document to capture and its scale.
func (p *Page) frameShot(ctx context.Context, o ScreenshotOptions, req *captureScreenshot) error {
	var m struct {
		Info
		DPR float64 `json:"dpr"`
	}
	const metrics = `(() => { const root = document.documentElement; return JSON.stringify({ dpr: devicePixelRatio, w: innerWidth, h: innerHeight, sx: scrollX, sy: scrollY,
  pw: Math.max(innerWidth, root ? root.scrollWidth : 0), ph: Math.max(innerHeight, root ? root.scrollHeight : 0) }) })()`
	if err := p.inIsolated(ctx, metrics, &m); err != nil {
		return err
	}
	clip := captureClip{Box: Box{X: m.SX, Y: m.SY, Width: m.W, Height: m.H}, Scale: 1}
	switch {
	case o.Clip != nil:
		clip.Box = *o.Clip
		if o.inView {
			clip.X, clip.Y = clip.X+m.SX, clip.Y+m.SY
		}
		inside := clip.X >= m.SX && clip.Y >= m.SY && clip.X+clip.Width <= m.SX+m.W && clip.Y+clip.Height <= m.SY+m.H
		req.CaptureBeyondViewport = !inside
	case o.FullPage:
		clip.Box = Box{Width: m.PW, Height: m.PH}
		req.CaptureBeyondViewport = true
	}
	if !o.Raw && m.DPR > 0 {
		clip.Scale = 1 / m.DPR
	}
	if o.Clip != nil && o.Scale > 0 {
		clip.Scale = o.Scale
	}
	req.Clip = &clip
	return nil
}

// Screenshot captures the element, scrolled into view.
func (l *Locator) Screenshot(ctx context.Context, o ScreenshotOptions, timeout time.Duration) ([]byte, error) {
	if err := l.ScrollIntoViewIfNeeded(ctx, timeout); err != nil {
		return nil, renamed(err, "screenshot")
	}
	box, err := l.box(ctx, "screenshot", timeout)
	if err != nil {
		return nil, err
	}
	if box == nil || box.Width == 0 || box.Height == 0 {
		return nil, &ElementError{Op: "screenshot", Selector: l.selector, Reason: l.selector + " takes no space", Permanent: true}
	}
	o.Clip, o.FullPage, o.inView = box, false, true
	return l.page.Screenshot(ctx, o)
}
