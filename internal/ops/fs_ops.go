package ops

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// maxFileBytes bounds one file that a tool reads or writes.
const maxFileBytes = 64 << 20

// fsRows are behind node:fs: each takes paths that the policy lets be used.
func fsRows() []*Operation {
	return []*Operation{
		define(spec{name: "fs.readFile", doc: "Read a file."}, fsReadFile),
		define(spec{name: "fs.writeFile", doc: "Write a file."}, fsWrite(os.O_TRUNC)),
		define(spec{name: "fs.appendFile", doc: "Append to a file."}, fsWrite(os.O_APPEND)),
		define(spec{name: "fs.stat", doc: "Describe a file."}, fsStat(os.Stat, (*Scope).readable)),
		define(spec{name: "fs.lstat", doc: "Describe a file, or the link that it is."}, fsStat(os.Lstat, (*Scope).readableEntry)),
		define(spec{name: "fs.readdir", doc: "List a directory."}, fsReadDir),
		define(spec{name: "fs.access", doc: "Tell whether a file can be used."}, fsAccess),
		define(spec{name: "fs.mkdir", doc: "Make a directory."}, fsMkdir),
		define(spec{name: "fs.rm", doc: "Remove a file or a tree."}, fsRemove),
		define(spec{name: "fs.rmdir", doc: "Remove an empty directory."}, onEntry("rmdir", removeDirectory)),
		define(spec{name: "fs.unlink", doc: "Remove a file."}, onEntry("unlink", removeFile)),
		define(spec{name: "fs.rename", doc: "Rename a file."}, fsRename),
		define(spec{name: "fs.copyFile", doc: "Copy a file."}, fsCopy),
		define(spec{name: "fs.realpath", doc: "Follow the links in a path."}, func(_ context.Context, sc *Scope, p pathParams) (string, error) {
			return sc.readable(p.Path)
		}),
		define(spec{name: "fs.mkdtemp", doc: "Make a directory with a new name."}, fsMkdtemp),
	}
}

type pathParams struct {
	Path string `json:"path" doc:"absolute path"`
}

type fileContent struct {
	Base64 string `json:"base64"`
}

func fsReadFile(_ context.Context, sc *Scope, p pathParams) (fileContent, error) {
	path, err := sc.readable(p.Path)
	if err != nil {
		return fileContent{}, err
	}
	file, err := os.Open(path)
	if err != nil {
		return fileContent{}, fsFailure("open", p.Path, "", err)
	}
	defer func() { _ = file.Close() }()
	switch info, err := file.Stat(); {
	case err == nil && info.IsDir():
		return fileContent{}, fsFailure("read", p.Path, "", syscall.EISDIR)
	case err != nil || !info.Mode().IsRegular():
		return fileContent{}, fsFailure("read", p.Path, "", errors.Join(err, errors.New("it is not a regular file")))
	}
	content, err := io.ReadAll(io.LimitReader(file, maxFileBytes+1))
	if err == nil && len(content) > maxFileBytes {
		return fileContent{}, Errorf(KindLimitExceeded, "%s is larger than the %d MiB that a tool may read", p.Path, maxFileBytes>>20).With("limit", "file")
	}
	return fileContent{base64.StdEncoding.EncodeToString(content)}, fsFailure("read", p.Path, "", err)
}

type writeParams struct {
	pathParams
	fileContentParams
	Flag string `json:"flag,omitempty" doc:"w, wx, a or ax"`
}

type fileContentParams struct {
	Base64 string `json:"base64" doc:"the content"`
}

func fsWrite(how int) func(context.Context, *Scope, writeParams) (Nothing, error) {
	return func(_ context.Context, sc *Scope, p writeParams) (Nothing, error) {
		path, err := sc.writable(p.Path)
		if err != nil {
			return Nothing{}, err
		}
		content, err := base64.StdEncoding.DecodeString(p.Base64)
		if err != nil {
			return Nothing{}, invalidParam("$.base64", "base64", "other text", "the content is not base64")
		}
		flags := os.O_WRONLY | os.O_CREATE | how
		switch p.Flag {
		case "wx", "ax":
			flags |= os.O_EXCL
		}
		if p.Flag == "a" || p.Flag == "ax" {
			flags = flags&^os.O_TRUNC | os.O_APPEND
		}
		file, err := os.OpenFile(path, flags, 0o600)
		if err != nil {
			return Nothing{}, fsFailure("open", p.Path, "", err)
		}
		_, err = file.Write(content)
		return Nothing{}, fsFailure("write", p.Path, "", errors.Join(err, file.Close()))
	}
}

// fileStat is what the runtime makes a Stats object of.
type fileStat struct {
	Name    string  `json:"name"`
	Type    string  `json:"type"` // file, directory, symlink or other
	Size    int64   `json:"size"`
	Mode    uint32  `json:"mode"`
	MtimeMs float64 `json:"mtimeMs"`
}

func describeFile(info fs.FileInfo) fileStat {
	kind := "other"
	switch {
	case info.Mode().IsRegular():
		kind = "file"
	case info.IsDir():
		kind = "directory"
	case info.Mode()&fs.ModeSymlink != 0:
		kind = "symlink"
	}
	return fileStat{
		Name: info.Name(), Type: kind, Size: info.Size(), Mode: uint32(info.Mode().Perm()),
		MtimeMs: float64(info.ModTime().UnixMicro()) / 1000,
	}
}

func fsStat(stat func(string) (fs.FileInfo, error), allowed func(*Scope, string) (string, error)) func(context.Context, *Scope, pathParams) (fileStat, error) {
	return func(_ context.Context, sc *Scope, p pathParams) (fileStat, error) {
		path, err := allowed(sc, p.Path)
		if err != nil {
			return fileStat{}, err
		}
		info, err := stat(path)
		if err != nil {
			return fileStat{}, fsFailure("stat", p.Path, "", err)
		}
		return describeFile(info), nil
	}
}

func fsReadDir(_ context.Context, sc *Scope, p pathParams) ([]fileStat, error) {
	path, err := sc.readable(p.Path)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, fsFailure("scandir", p.Path, "", err)
	}
	files := make([]fileStat, 0, len(entries))
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			continue // gone since it was listed
		}
		files = append(files, describeFile(info))
	}
	return files, nil
}

type accessParams struct {
	pathParams
	Mode int `json:"mode,omitempty" doc:"0 exists, 2 writable, 4 readable"`
}

func fsAccess(_ context.Context, sc *Scope, p accessParams) (Nothing, error) {
	allowed := sc.readable
	if p.Mode&2 != 0 {
		allowed = sc.writable
	}
	path, err := allowed(p.Path)
	if err != nil {
		return Nothing{}, err
	}
	_, err = os.Stat(path)
	return Nothing{}, fsFailure("access", p.Path, "", err)
}

type mkdirParams struct {
	pathParams
	Recursive bool `json:"recursive,omitempty" doc:"make parents too, and take one that is there"`
}

func fsMkdir(_ context.Context, sc *Scope, p mkdirParams) (Nothing, error) {
	path, err := sc.writable(p.Path)
	if err != nil {
		return Nothing{}, err
	}
	if p.Recursive {
		return Nothing{}, fsFailure("mkdir", p.Path, "", os.MkdirAll(path, 0o700))
	}
	return Nothing{}, fsFailure("mkdir", p.Path, "", os.Mkdir(path, 0o700))
}

type removeParams struct {
	pathParams
	Recursive bool `json:"recursive,omitempty" doc:"remove what is below too"`
	Force     bool `json:"force,omitempty" doc:"a file that is not there is no error"`
}

func fsRemove(_ context.Context, sc *Scope, p removeParams) (Nothing, error) {
	path, err := sc.writableEntry(p.Path)
	if err != nil {
		return Nothing{}, err
	}
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		if p.Force {
			return Nothing{}, nil
		}
		return Nothing{}, fsFailure("lstat", p.Path, "", err)
	}
	if p.Recursive {
		return Nothing{}, fsFailure("rm", p.Path, "", os.RemoveAll(path))
	}
	return Nothing{}, fsFailure("rm", p.Path, "", removeFile(path))
}

// removeFile removes what is no directory, as os.Remove does and no more.
func removeFile(path string) error {
	if info, err := os.Lstat(path); err == nil && info.IsDir() {
		return syscall.EISDIR
	}
	return os.Remove(path)
}

func removeDirectory(path string) error {
	if info, err := os.Lstat(path); err == nil && !info.IsDir() {
		return syscall.ENOTDIR
	}
	return os.Remove(path)
}

func onEntry(op string, do func(string) error) func(context.Context, *Scope, pathParams) (Nothing, error) {
	return func(_ context.Context, sc *Scope, p pathParams) (Nothing, error) {
		path, err := sc.writableEntry(p.Path)
		if err != nil {
			return Nothing{}, err
		}
		return Nothing{}, fsFailure(op, p.Path, "", do(path))
	}
}

type twoPathParams struct {
	pathParams
	Target string `json:"target" doc:"absolute path"`
}

func fsRename(_ context.Context, sc *Scope, p twoPathParams) (Nothing, error) {
	from, err := sc.writableEntry(p.Path)
	if err != nil {
		return Nothing{}, err
	}
	to, err := sc.writableEntry(p.Target)
	if err != nil {
		return Nothing{}, err
	}
	return Nothing{}, fsFailure("rename", p.Path, p.Target, os.Rename(from, to))
}

func fsCopy(ctx context.Context, sc *Scope, p twoPathParams) (Nothing, error) {
	content, err := fsReadFile(ctx, sc, p.pathParams)
	if e := (*Error)(nil); errors.As(err, &e) && e.Err != nil {
		return Nothing{}, fsFailure("copyfile", p.Path, p.Target, e.Err)
	}
	if err != nil {
		return Nothing{}, err
	}
	return fsWrite(os.O_TRUNC)(ctx, sc, writeParams{pathParams: pathParams{p.Target}, fileContentParams: fileContentParams(content)})
}

func fsMkdtemp(_ context.Context, sc *Scope, p pathParams) (string, error) {
	parent, err := sc.allowedPath(p.Path, true, prefixPath)
	if err != nil {
		return "", err
	}
	_, prefix := filepath.Split(p.Path)
	dir, err := os.MkdirTemp(parent, prefix+"*")
	if err != nil {
		return "", fsFailure("mkdtemp", p.Path, "", err)
	}
	return dir, nil
}
