package browser

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSafeFileName(t *testing.T) {
	for name, want := range map[string]string{
		"a.txt": "a.txt", "../../etc/passwd": "passwd", `..\..\x.exe`: "x.exe", "": "download", "..": "download", "/": "download",
		"a\x00b\nc": "a_b_c", "con<>:|?*.txt": "con______.txt", " . ": "download", "ünï 京.pdf": "ünï 京.pdf",
		"CON": "_CON", "nul.txt": "_nul.txt", "com1.tar.gz": "_com1.tar.gz", "aux .txt": "_aux .txt", "console.txt": "console.txt",
		"invoice\u202efdp.exe": "invoicefdp.exe", "a\u0085b": "a_b", "bad\xff.txt": "bad_.txt",
	} {
		if got := safeFileName(name); got != want {
			t.Errorf("safeFileName(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestLongFileNames(t *testing.T) {
	for _, name := range []string{strings.Repeat("x", 300) + ".pdf", strings.Repeat("京", 100) + ".tar.gz", strings.Repeat("é", 150), "a." + strings.Repeat("b", 300)} {
		got := safeFileName(name)
		if len(got) > fileNameLimit || len(got) < fileNameLimit-4 || !utf8.ValidString(got) {
			t.Errorf("%q became %q", name, got)
		}
		if extension := filepath.Ext(name); len(extension) < 10 && filepath.Ext(got) != extension {
			t.Errorf("%q lost its extension: %q", name, got)
		}
	}
}

func FuzzSafeFileName(f *testing.F) {
	f.Add("../a.txt")
	f.Add("CON.\u202e")
	f.Add("nul." + strings.Repeat("x", 300))
	f.Fuzz(func(t *testing.T, name string) {
		got := safeFileName(name)
		if got == "" || len(got) > fileNameLimit || filepath.Base(got) != got || !filepath.IsLocal(got) {
			t.Errorf("%q became %q", name, got)
		}
		if again := safeFileName(got); again != got {
			t.Errorf("%q became %q, and that %q", name, got, again)
		}
	})
}

// A copy that fails leaves what was there, and nothing beside it.
func TestCopyWhole(t *testing.T) {
	dir := t.TempDir()
	to := filepath.Join(dir, "to")
	if err := os.WriteFile(to, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := copyWhole(dir, to); err == nil { // a directory cannot be read
		t.Error("a directory was copied")
	}
	if err := copyWhole(filepath.Join(dir, "missing"), to); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if data, err := os.ReadFile(to); err != nil || string(data) != "old" {
		t.Errorf("%q, %v", data, err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left: %v, %v", left, err)
	}
}
