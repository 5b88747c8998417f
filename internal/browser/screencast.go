package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/go-rod/rod/lib/proto"

	"egod/internal/video"
)

const (
	// castBox is the square that a film fits in when no size is asked for, in pixels.
	castBox = 800
	// castTick is how often a picture that stays is given to ffmpeg again.
	castTick = 200 * time.Millisecond
	// castLimit ends a recording that nobody stops.
	castLimit = time.Hour
	// castFinish bounds the end of a film, castFinishGone that of one whose tab is
	// gone, which the end of Chrome waits for.
	castFinish     = 30 * time.Second
	castFinishGone = 5 * time.Second
	// castAnswer bounds what is asked of the page at the end.
	castAnswer = 2 * time.Second
)

// ScreencastOptions says what a recording is like.
type ScreencastOptions struct {
	FFmpeg        string // path of ffmpeg, see video.Find
	Path          string // absolute, of the WebM file
	Width, Height int    // pixels, rounded down to even; 0: the viewport, scaled down to fit 800x800
	Mark          string // see video.Config
	Quality       int    // of the pictures that the film is made of, 0 to 100
}

// Screencast is a recording of one tab. It ends by Stop, with its tab, or after an
// hour; Done tells when the film is whole.
type Screencast struct {
	Path          string
	Width, Height int

	page    *Page
	quality int
	film    *video.Recorder
	frames  chan json.RawMessage // parameters of events that were not looked at yet
	stop    chan struct{}
	once    sync.Once
	done    chan struct{}
	err     error // read after done
}

// StartScreencast begins to record the tab. One recording of a tab runs at a time.
func (p *Page) StartScreencast(ctx context.Context, o ScreencastOptions) (*Screencast, error) {
	const op = "screencast"
	if err := p.begin(ctx); err != nil {
		return nil, pageError(op, "", err)
	}
	if d := p.openDialog(); d != nil {
		return nil, pageError(op, p.url(), dialogInTheWay(d, nil))
	}
	s := &Screencast{
		Path: o.Path, Width: o.Width &^ 1, Height: o.Height &^ 1, page: p, quality: o.Quality,
		frames: make(chan json.RawMessage, 8), stop: make(chan struct{}), done: make(chan struct{}),
	}
	if s.Width == 0 || s.Height == 0 {
		if err := s.fitViewport(ctx); err != nil {
			return nil, pageError(op, p.url(), err)
		}
	}
	if err := s.attach(); err != nil {
		return nil, err
	}
	film, err := video.Start(video.Config{FFmpeg: o.FFmpeg, Path: s.Path, Width: s.Width, Height: s.Height, Env: p.chrome.cfg.Env, Mark: o.Mark})
	if err != nil {
		s.detach()
		return nil, err
	}
	s.film = film
	begin := proto.PageStartScreencast{
		Format: proto.PageStartScreencastFormatJpeg, Quality: &s.quality, MaxWidth: &s.Width, MaxHeight: &s.Height,
	}
	if err = p.session.call(ctx, begin, nil); err == nil && !p.chrome.enlist(&p.chrome.recordings) {
		err = p.chrome.conn.err
	}
	if err != nil {
		s.detach()
		p.session.send(proto.PageStopScreencast{}) // it may have begun all the same
		film.Abort()
		return nil, pageError(op, p.url(), err)
	}
	go s.run()
	return s, nil
}

// fitViewport makes the film as large as the viewport, or smaller to fit castBox.
func (s *Screencast) fitViewport(ctx context.Context) error {
	var view struct{ W, H float64 }
	if err := s.page.inIsolated(ctx, "JSON.stringify({ W: innerWidth, H: innerHeight })", &view); err != nil {
		return err
	}
	scale := min(1, castBox/max(view.W, view.H, 1))
	s.Width, s.Height = max(2, int(view.W*scale)&^1), max(2, int(view.H*scale)&^1)
	return nil
}

// attach makes this the recording that the page's pictures go to.
func (s *Screencast) attach() error {
	s.page.mu.Lock()
	defer s.page.mu.Unlock()
	if s.page.cast != nil {
		return &PageError{Op: "screencast", Reason: "a recording of this tab was already started", URL: s.page.doc.url, Hint: "stop it first: page.screencast.stop"}
	}
	s.page.cast = s
	s.page.chrome.conn.hold()
	return nil
}

func (s *Screencast) detach() {
	s.page.mu.Lock()
	defer s.page.mu.Unlock()
	s.page.cast = nil
	s.page.chrome.conn.release()
}

// offer takes in a picture, on the reader; Page.mu is held. Chrome sends only a few
// that were not acknowledged, so one that finds no room is one too many.
func (s *Screencast) offer(frame json.RawMessage) {
	select {
	case s.frames <- frame:
	default:
	}
}

// Stop asks for the end of the recording and does not wait for it.
func (s *Screencast) Stop() { s.once.Do(func() { close(s.stop) }) }

// Stopping tells that Stop was called.
func (s *Screencast) Stopping() bool {
	select {
	case <-s.stop:
		return true
	default:
		return false
	}
}

// Done is closed when the film is whole, or given up.
func (s *Screencast) Done() <-chan struct{} { return s.done }

// Err is why there is no film; read after Done.
func (s *Screencast) Err() error { return s.err }

// run owns the film from its first picture to its end.
func (s *Screencast) run() {
	defer s.page.chrome.recordings.Done()
	err := s.record()
	s.detach()
	if err != nil {
		s.err = &PageError{Op: "screencast", Reason: err.Error(), URL: s.page.url(), Cause: err}
	}
	close(s.done)
}

func (s *Screencast) record() error {
	tick := time.NewTicker(castTick)
	defer tick.Stop()
	limit := time.NewTimer(castLimit)
	defer limit.Stop()
	for {
		var err error
		select {
		case frame := <-s.frames:
			err = s.show(frame)
		case <-tick.C:
			err = s.film.Advance(time.Now())
		case <-s.film.Done():
			err = s.film.Fail()
			s.end()
			return err
		case <-s.page.session.done:
			return s.finish(castFinishGone)
		case <-s.stop:
			s.end()
			return s.finish(castFinish)
		case <-limit.C:
			s.end()
			return s.finish(castFinish)
		}
		if err != nil {
			s.film.Abort()
			s.end()
			return err
		}
	}
}

// show puts a picture into the film, then asks Chrome for the next: a slow film
// slows the pictures down and piles nothing up.
func (s *Screencast) show(frame json.RawMessage) error {
	var picture struct {
		Data      []byte `json:"data"`
		SessionID int    `json:"sessionId"`
	}
	if err := json.Unmarshal(frame, &picture); err != nil {
		return fmt.Errorf("reading a picture of the page: %w", err)
	}
	if len(picture.Data) > 0 {
		if err := s.film.Show(picture.Data, time.Now()); err != nil {
			return err
		}
	}
	s.page.session.send(proto.PageScreencastFrameAck{SessionID: picture.SessionID})
	return nil
}

// end has Chrome send no more pictures. A page that does not answer is left alone.
func (s *Screencast) end() {
	ctx, cancel := context.WithTimeout(context.Background(), castAnswer)
	defer cancel()
	_ = s.page.session.call(ctx, proto.PageStopScreencast{}, nil)
}

// finish takes in what came last and completes the film. A page that did not change
// sends no picture: one is taken then.
func (s *Screencast) finish(within time.Duration) error {
	for len(s.frames) > 0 {
		if err := s.show(<-s.frames); err != nil {
			s.film.Abort()
			return err
		}
	}
	if s.film.Empty() {
		ctx, cancel := context.WithTimeout(context.Background(), castAnswer)
		defer cancel()
		image, err := s.page.Screenshot(ctx, ScreenshotOptions{Format: "jpeg", Quality: s.quality})
		if err == nil {
			err = s.film.Show(image, time.Now())
		}
		if err != nil {
			s.film.Abort()
			return fmt.Errorf("the page showed no picture to record: %w", err)
		}
	}
	return s.film.Finish(time.Now(), within)
}
