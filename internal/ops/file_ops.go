package ops

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"egod/internal/browser"
)

func fileRows() []*Operation {
	return []*Operation{
		define(spec{
			name: "page.screenshot", js: args(options()),
			doc: "Capture the viewport, the whole page or a part of it, and return the path of the image.",
		}, pageScreenshot),
		define(spec{
			name: "locator.screenshot", js: args(options()),
			doc: "Capture the element and return the path of the image.",
		}, locatorScreenshot),
	}
}

type imageParams struct {
	Path    string `json:"path,omitempty" doc:"absolute path of the image, below --allow-fs; a file of the run's own when left out"`
	Type    string `json:"type,omitempty" doc:"png, jpeg or webp; what the path ends in says when left out, else png"`
	Quality int    `json:"quality,omitempty" doc:"1 to 100, for jpeg and webp"`
	Raw     bool   `json:"raw,omitempty" doc:"device pixels instead of one pixel per CSS pixel"`
}

type clipParams struct {
	pointParams
	Width  float64 `json:"width" doc:"CSS pixels"`
	Height float64 `json:"height" doc:"CSS pixels"`
	Scale  float64 `json:"scale,omitempty" doc:"pixels of the image for one of the page's, at most 10"`
}

type screenshotParams struct {
	imageParams
	inSpace
	FullPage bool        `json:"fullPage,omitempty" doc:"the whole document instead of the viewport"`
	Clip     *clipParams `json:"clip,omitempty" doc:"part of the document, from its top left corner"`
}

func (p imageParams) options() browser.ScreenshotOptions {
	return browser.ScreenshotOptions{Format: p.format(), Quality: p.Quality, Raw: p.Raw}
}

// format is the type that is asked for.
func (p imageParams) format() string {
	if p.Type != "" {
		return p.Type
	}
	switch strings.ToLower(filepath.Ext(p.Path)) {
	case ".jpg", ".jpeg":
		return "jpeg"
	case ".webp":
		return "webp"
	}
	return "png"
}

// maxClipScale keeps a slip from asking for an image of gigabytes.
const maxClipScale = 10

// box is the clip as the browser takes it.
func (p *clipParams) box() (*browser.Box, error) {
	if p == nil {
		return nil, nil
	}
	if p.Width <= 0 || p.Height <= 0 {
		return nil, invalidParam("$.clip", "a width and a height of more than 0", fmt.Sprintf("%vx%v", p.Width, p.Height),
			fmt.Sprintf("a clip of %vx%v holds no picture: give width and height", p.Width, p.Height))
	}
	if p.Scale < 0 || p.Scale > maxClipScale {
		return nil, invalidParam("$.clip.scale", fmt.Sprintf("a number from 0 to %d", maxClipScale), fmt.Sprint(p.Scale),
			fmt.Sprintf("the scale of a clip must be from 0 to %d, got %v", maxClipScale, p.Scale))
	}
	return &browser.Box{X: p.X, Y: p.Y, Width: p.Width, Height: p.Height}, nil
}

func pageScreenshot(ctx context.Context, sc *Scope, p screenshotParams) (string, error) {
	path, err := sc.imagePath(p.imageParams)
	if err != nil {
		return "", err
	}
	o := p.options()
	o.FullPage = p.FullPage
	if o.Clip, err = p.Clip.box(); err != nil {
		return "", err
	}
	if p.Clip != nil {
		o.Scale = p.Clip.Scale
	}
	page, err := sc.page(ctx)
	if err != nil {
		return "", err
	}
	image, err := page.Screenshot(ctx, o)
	if err != nil {
		return "", err
	}
	return path, writeImage(path, image)
}

type elementShotParams struct {
	timedParams
	imageParams
}

func locatorScreenshot(ctx context.Context, sc *Scope, p elementShotParams) (string, error) {
	path, err := sc.imagePath(p.imageParams)
	if err != nil {
		return "", err
	}
	locator, err := sc.locator(ctx, p.Selector)
	if err != nil {
		return "", err
	}
	image, err := locator.Screenshot(ctx, p.imageParams.options(), sc.timeout(p.Timeout))
	if err != nil {
		return "", err
	}
	return path, writeImage(path, image)
}

// imagePath decides where an image goes before it is taken.
func (sc *Scope) imagePath(p imageParams) (string, error) {
	if p.Path != "" {
		return sc.writable(p.Path)
	}
	return sc.newFile("screenshot", filepath.Base(p.format()))
}

func writeImage(path string, image []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return unwritable(path, err)
	}
	if err := os.WriteFile(path, image, 0o600); err != nil {
		return unwritable(path, err)
	}
	return nil
}
