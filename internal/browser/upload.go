package browser

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/go-rod/rod/lib/proto"
)

// SetInputFiles gives a file input the files at these paths; without any it has
// none. One with the attribute webkitdirectory takes the path of one directory.
func (l *Locator) SetInputFiles(ctx context.Context, paths []string, timeout time.Duration) error {
	const op = "setInputFiles"
	if len(paths) == 0 { // which Chrome's own command takes for nothing to do
		return l.act(ctx, op, timeout, "act.clearFiles(query)", nil)
	}
	files, listed, err := uploads(paths)
	if err != nil {
		return pageError(op, "", err)
	}
	directory := listed >= 0
	err = l.retry(ctx, op, timeout, func(ctx context.Context) error {
		if err := l.once(ctx, op, fmt.Sprintf("act.takesFiles(query,%d,%t)", len(files), directory), nil); err != nil {
			return err
		}
		return l.withHandle(ctx, op, func(w *world, object string) error {
			req := proto.DOMSetFileInputFiles{Files: files, ObjectID: proto.RuntimeRemoteObjectID(object)}
			err := w.session.call(ctx, req, nil)
			var refused *protocolError
			if errors.As(err, &refused) {
				return &ElementError{Op: op, Selector: l.selector, Permanent: true, Reason: refusal(refused)}
			}
			return err
		})
	})
	if err != nil || listed < 1 {
		return err
	}
	return l.act(ctx, op, timeout, "act.holdsFiles(query)", nil)
}

// uploads makes paths absolute and looks at what is there: files, or one directory.
// Of that, listed is the number of files below it; it is -1 for files.
func uploads(paths []string) (files []string, listed int, err error) {
	files, listed = make([]string, len(paths)), -1
	for i, path := range paths {
		abs, err := filepath.Abs(path)
		if err != nil {
			return nil, 0, err
		}
		info, err := os.Stat(abs)
		if err != nil {
			return nil, 0, &PageError{Permanent: true, Reason: "no such file: " + abs, Cause: err, Hint: "give the path of a file that exists"}
		}
		if info.IsDir() {
			if len(paths) > 1 {
				return nil, 0, &PageError{Permanent: true, Reason: abs + " is a directory", Hint: "give one directory, or the paths of files"}
			}
			if listed, err = filesBelow(abs); err != nil {
				return nil, 0, err
			}
		}
		files[i] = abs
	}
	return files, listed, nil
}

// filesBelow counts the files of a directory and refuses one with a link in it: Chrome
// reads the directory by itself, and would follow the link to where it may not read.
func filesBelow(dir string) (n int, err error) {
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return &PageError{Permanent: true, Reason: path + " cannot be read", Cause: err, Hint: "give a directory that can be read whole"}
		case entry.IsDir():
			return nil
		case !entry.Type().IsRegular():
			return &PageError{Permanent: true, Reason: path + " is no regular file", Hint: "give a directory without links and devices"}
		}
		n++
		return nil
	})
	return n, err
}
