package runtime

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// key names the compiled program: same key, same result of compiling.
func (p *Program) key() string {
	hash := p.Hash
	if hash == "" {
		hash = p.contentHash()
	}
	return strconv.Itoa(int(p.Kind)) + "|" + p.Entry + "|" + hash
}

// contentHash is the key for programs that come without one.
func (p *Program) contentHash() string {
	h := sha256.New()
	paths := make([]string, 0, len(p.Files))
	for path := range p.Files {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		fmt.Fprintf(h, "%d:%s%d:", len(path), path, len(p.Files[path]))
		_, _ = io.WriteString(h, p.Files[path])
	}
	return hex.EncodeToString(h.Sum(nil))
}
