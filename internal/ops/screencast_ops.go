package ops

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"egod/internal/browser"
	"egod/internal/video"
)

func screencastRows() []*Operation {
	return []*Operation{
		define(spec{
			name: "page.screencast.start", js: args(options()), fails: []Kind{KindBrowserUnavailable},
			doc: "Begin to record the page to a WebM film with ffmpeg; it ends with stop, with the script or tool that began it, with its tab or its task space, and after an hour.",
		}, startScreencast),
		define(spec{
			name: "page.screencast.stop", js: args(),
			doc: "End the recording and return the path of the film, or null when nothing was recorded.",
		}, stopScreencast),
	}
}

// filmExtension is what the path of a film ends in.
const filmExtension = ".webm"

// maxFilmSide bounds the size of a film in pixels; the codec ends at 16,383.
const maxFilmSide = 4096

// defaultFilmQuality is that of the pictures a film is made of.
const defaultFilmQuality = 90

type filmSize struct {
	Width  int `json:"width" doc:"pixels, 2 to 4096, rounded down to even"`
	Height int `json:"height" doc:"pixels, 2 to 4096, rounded down to even"`
}

type screencastParams struct {
	Path    string    `json:"path,omitempty" doc:"absolute path of the film, ending in .webm, below --allow-fs; a file of the run's own when left out"`
	Size    *filmSize `json:"size,omitempty" doc:"size of the film; the viewport, scaled down to fit 800x800, when left out"`
	Quality *int      `json:"quality,omitempty" doc:"of its pictures, 0 to 100; 90 when left out"`
	inSpace
}

// Screencast is a recording that began.
type Screencast struct {
	Path   string `json:"path"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
}

func startScreencast(ctx context.Context, sc *Scope, p screencastParams) (Screencast, error) {
	o, err := sc.filmOptions(p)
	if err != nil {
		return Screencast{}, err
	}
	if _, err := sc.browserSpace(ctx); err != nil { // a place, with the agent in control
		return Screencast{}, err
	}
	recorder := &sc.place.current().recorder
	if err := recorder.begin(ctx); err != nil {
		return Screencast{}, err
	}
	var cast *browser.Screencast
	defer func() { recorder.begun(cast) }()
	page, err := sc.page(ctx)
	if err != nil {
		return Screencast{}, err
	}
	if cast, err = page.StartScreencast(ctx, o); err != nil {
		return Screencast{}, saved(o.Path, err)
	}
	if sc.depth > 0 {
		sc.place.casts.add(cast)
	}
	return Screencast{Path: cast.Path, Width: cast.Width, Height: cast.Height}, nil
}

// filmOptions checks all that can be checked before the browser has any work.
func (sc *Scope) filmOptions(p screencastParams) (browser.ScreencastOptions, error) {
	o := browser.ScreencastOptions{Quality: defaultFilmQuality}
	if p.Quality != nil {
		if o.Quality = *p.Quality; o.Quality < 0 || o.Quality > 100 {
			return o, invalidParam("$.quality", "0 to 100", fmt.Sprint(o.Quality), "the quality of a screencast must be 0 to 100")
		}
	}
	if p.Size != nil {
		o.Width, o.Height = p.Size.Width, p.Size.Height
		if min(o.Width, o.Height) < 2 || max(o.Width, o.Height) > maxFilmSide {
			return o, invalidParam("$.size", fmt.Sprintf("2 to %d pixels each way", maxFilmSide), fmt.Sprintf("%dx%d", o.Width, o.Height),
				fmt.Sprintf("a screencast cannot be %dx%d: width and height must be 2 to %d", o.Width, o.Height, maxFilmSide))
		}
	}
	if p.Path != "" && !strings.HasSuffix(p.Path, filmExtension) {
		return o, invalidParam("$.path", "a path that ends in "+filmExtension, p.Path,
			fmt.Sprintf("the path of a screencast must end in %s, got %q", filmExtension, p.Path))
	}
	var err error
	if p.Path != "" {
		o.Path, err = sc.writable(p.Path)
	} else {
		o.Path, err = sc.newFile("screencast", strings.TrimPrefix(filmExtension, "."))
	}
	if err != nil {
		return o, err
	}
	if o.Mark, err = sc.svc.files.next(nil, "screencast", unfinishedFilm); err != nil {
		return o, err
	}
	o.FFmpeg, err = video.Find(sc.svc.ffmpeg)
	return o, err
}

func stopScreencast(ctx context.Context, sc *Scope, _ inSpace) (*string, error) {
	if _, err := sc.browserSpace(ctx); err != nil {
		return nil, err
	}
	cast, err := sc.place.current().recorder.finish(ctx)
	if cast == nil {
		return nil, err
	}
	sc.place.casts.remove(cast) // its end was told
	return &cast.Path, err
}

// endRecordings completes the films that a run began, once the outermost of the
// tools in it is over. It does not hold up the answer to a cancellation.
func (sc *Scope) endRecordings(ctx context.Context) error {
	if sc.depth > 0 {
		return nil
	}
	sc.place.casts.stop()
	var errs []error
	for _, cast := range sc.place.casts.all() {
		if err := wait(ctx, cast); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
