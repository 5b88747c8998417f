package ops

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestFileFailures holds what tools are told about files to what Node says.
func TestFileFailures(t *testing.T) {
	dir := t.TempDir()
	under := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"full", "empty"} {
		if err := os.Mkdir(under(name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"file", "full/inside"} {
		if err := os.WriteFile(under(name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, absent := os.Stat(under("absent"))
	for _, tt := range []struct {
		name, op, path, target string
		err                    error
		want                   string
	}{
		{"absent", "stat", "/a", "", absent, "ENOENT: no such file or directory, stat '/a'"},
		{"both paths", "rename", "/a", "/b", os.Rename(under("absent"), under("b")), "ENOENT: no such file or directory, rename '/a' -> '/b'"},
		{"there already", "mkdir", "/a", "", os.Mkdir(under("full"), 0o700), "EEXIST: file already exists, mkdir '/a'"},
		{"not empty", "rmdir", "/a", "", removeDirectory(under("full")), "ENOTEMPTY: directory not empty, rmdir '/a'"},
		{"a file for a directory", "rmdir", "/a", "", removeDirectory(under("file")), "ENOTDIR: not a directory, rmdir '/a'"},
		{"a directory for a file", "unlink", "/a", "", removeFile(under("empty")), "EISDIR: illegal operation on a directory, unlink '/a'"},
		{"something else", "read", "/a", "", errors.New("odd"), "EIO: i/o error, read '/a'"},
	} {
		if err := fsFailure(tt.op, tt.path, tt.target, tt.err); err == nil || err.Error() != tt.want {
			t.Errorf("%s: got %v, want %s", tt.name, err, tt.want)
		}
	}
	for _, name := range []string{"file", "empty", "full/inside"} {
		if _, err := os.Stat(under(name)); err != nil {
			t.Errorf("%s was removed by a call that refused it", name)
		}
	}
	if err := fsFailure("open", "/a", "", nil); err != nil {
		t.Errorf("success gave %v", err)
	}
}
