package process

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// OwnerFile is the file in a directory that names the egod that uses it.
const OwnerFile = "egod-owner.json"

// unownedAge is how old a directory without an owner file must be before it counts
// as a leftover: its maker writes the file right after.
const unownedAge = time.Minute

// Owner names the process that uses a directory.
type Owner struct {
	Identity
	Host string `json:"host"`
}

// Self is this process as an owner.
func Self() Owner {
	host, err := os.Hostname()
	if err != nil {
		host = ""
	}
	me, _ := Identify(os.Getpid()) // whoever asks is alive
	return Owner{Identity: me, Host: host}
}

// Alive reports whether the owner still runs. An owner on another machine (a
// shared directory) cannot be asked and counts as alive.
func (o Owner) Alive() bool { return o.Host != Self().Host || o.Identity.Alive() }

// ReadOwner reads who uses a directory.
func ReadOwner(dir string) (Owner, error) {
	var o Owner
	data, err := os.ReadFile(filepath.Join(dir, OwnerFile))
	if err != nil {
		return o, err
	}
	return o, json.Unmarshal(data, &o)
}

// Own writes that this process uses a directory.
func Own(dir string) error {
	data, err := json.Marshal(Self())
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, OwnerFile), data, 0o600)
}

// OwnTemp makes a directory below parent, whose name begins with prefix, for this
// process. Leftovers finds it once the process is gone.
func OwnTemp(parent, prefix string) (string, error) {
	dir, err := os.MkdirTemp(parent, prefix)
	if err != nil {
		return "", err
	}
	if err := Own(dir); err != nil {
		return "", errors.Join(fmt.Errorf("marking %s: %w", dir, err), os.RemoveAll(dir))
	}
	return dir, nil
}

// Leftovers are the directories below parent, whose names begin with prefix, that
// nobody uses any more.
func Leftovers(parent, prefix string) []string {
	entries, err := os.ReadDir(parent)
	if err != nil {
		return nil
	}
	var dirs []string
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), prefix) {
			continue
		}
		if dir := filepath.Join(parent, e.Name()); leftover(dir, e) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

func leftover(dir string, e os.DirEntry) bool {
	if o, err := ReadOwner(dir); err == nil {
		return !o.Alive()
	}
	info, err := e.Info()
	return err == nil && time.Since(info.ModTime()) > unownedAge
}
