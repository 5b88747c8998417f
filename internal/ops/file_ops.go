package ops

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

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
	Type    string `json:"type,omitempty" doc:"png (default), jpeg or webp"`
	Quality int    `json:"quality,omitempty" doc:"1 to 100, for jpeg and webp"`
	Raw     bool   `json:"raw,omitempty" doc:"device pixels instead of one pixel per CSS pixel"`
}

type clipParams struct {
	pointParams
	Width  float64 `json:"width" doc:"CSS pixels"`
	Height float64 `json:"height" doc:"CSS pixels"`
	Scale  float64 `json:"scale,omitempty" doc:"taken for the original's sake; it has no effect"`
}

type screenshotParams struct {
	imageParams
	inSpace
	FullPage bool        `json:"fullPage,omitempty" doc:"the whole document instead of the viewport"`
	Clip     *clipParams `json:"clip,omitempty" doc:"part of the document, from its top left corner"`
}

func (p imageParams) options() browser.ScreenshotOptions {
	return browser.ScreenshotOptions{Format: p.Type, Quality: p.Quality, Raw: p.Raw}
}

func pageScreenshot(ctx context.Context, sc *Scope, p screenshotParams) (string, error) {
	path, err := sc.imagePath(p.imageParams)
	if err != nil {
		return "", err
	}
	o := p.options()
	o.FullPage = p.FullPage
	if p.Clip != nil {
		o.Clip = &browser.Box{X: p.Clip.X, Y: p.Clip.Y, Width: p.Clip.Width, Height: p.Clip.Height}
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
	extension := p.Type
	if extension == "" {
		extension = "png"
	}
	return sc.svc.files.next("screenshot", filepath.Base(extension))
}

func writeImage(path string, image []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("making the directory of the image: %w", err)
	}
	if err := os.WriteFile(path, image, 0o600); err != nil {
		return fmt.Errorf("writing the image: %w", err)
	}
	return nil
}
