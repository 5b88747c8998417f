package scaffold

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"
	"unicode"

	"egod/internal/skills"
)

// The template of a pack. Names of files end in .tmpl, so that no tool takes them
// for what they will be.
//
//go:embed pack
var templates embed.FS

// SchemaName is the file beside the packs of a root that their manifests name as
// their schema, for editors.
const SchemaName = "manifest.schema.json"

// Pack says what to write.
type Pack struct {
	// ID is the pack's id and the name of its directory.
	ID string
	// Domains are what the pack declares, at least one.
	Domains []string
}

// InvalidError says what of a Pack cannot be.
type InvalidError struct {
	Reason string
	Hint   string
}

func (e *InvalidError) Error() string { return e.Reason }

var packID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$`)

func (p Pack) check() error {
	if !packID.MatchString(p.ID) || p.ID == "node_modules" {
		return &InvalidError{fmt.Sprintf("%q cannot be the id of a pack", p.ID), "use letters, digits, - and _, as in example-com"}
	}
	if len(p.Domains) == 0 {
		return &InvalidError{"a pack needs a domain", "name the site's host, such as example.com"}
	}
	for _, d := range p.Domains {
		if message, hint := skills.DomainFault(d); message != "" {
			return &InvalidError{message, hint}
		}
	}
	return nil
}

// Write makes the pack's directory below root, and root itself where it is not
// there. It returns the files written, relative to root. Nothing that exists is
// changed: a pack that is there is an error. Other errors are an *InvalidError, or
// of the file system.
func Write(root string, p Pack) (files []string, err error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(root, 0o755); err != nil {
		return nil, err
	}
	if err := os.Mkdir(filepath.Join(root, p.ID), 0o755); errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("cannot make the pack %s: %s exists already", p.ID, filepath.Join(root, p.ID))
	} else if err != nil {
		return nil, err
	}
	values := p.values()
	err = fs.WalkDir(templates, "pack", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		file := path.Join(p.ID, strings.TrimSuffix(strings.TrimPrefix(name, "pack/"), ".tmpl"))
		files = append(files, file)
		return writeTemplate(name, filepath.Join(root, filepath.FromSlash(file)), values)
	})
	if err != nil {
		return files, err
	}
	made, err := writeNew(filepath.Join(root, SchemaName), skills.ManifestSchema())
	if made {
		files = append(files, SchemaName)
	}
	return files, err
}

// values are what the templates may use.
type values struct {
	ID, Name, Domains string
	// Host is the first domain, without its wildcard; Origin is its address.
	Host, Origin string
}

func (p Pack) values() values {
	host := strings.TrimPrefix(p.Domains[0], "*.")
	return values{
		ID: p.ID, Name: title(p.ID), Domains: jsonList(p.Domains),
		Host: host, Origin: "https://" + skills.Hostname(host),
	}
}

// title makes a name of an id: hacker-news -> Hacker News.
func title(id string) string {
	words := strings.FieldsFunc(id, func(r rune) bool { return strings.ContainsRune("-_.", r) })
	for i, w := range words {
		r := []rune(w)
		r[0] = unicode.ToUpper(r[0])
		words[i] = string(r)
	}
	return strings.Join(words, " ")
}

func jsonList(items []string) string {
	quoted := make([]string, len(items))
	for i, item := range items {
		raw, _ := json.Marshal(item) // a string always marshals
		quoted[i] = string(raw)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

func writeTemplate(name, file string, v values) error {
	t, err := template.New(path.Base(name)).Delims("<<", ">>").ParseFS(templates, name)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := t.Execute(&text, v); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	_, err = writeNew(file, text.Bytes())
	return err
}

// writeNew writes a file unless there is one of that name.
func writeNew(file string, content []byte) (made bool, err error) {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	_, err = f.Write(content)
	return true, errors.Join(err, f.Close())
}
