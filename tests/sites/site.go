package sites

import (
	"cmp"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Site is a set of pages under one or more host names.
type Site struct {
	// Hosts are the names the site answers to, lower case, without a port. A
	// name that begins with "*." stands for every name below it.
	Hosts []string
	// Files holds the bodies that Pages name.
	Files fs.FS
	// Pages are tried in order.
	Pages []Page
}

// Page is one recorded answer.
type Page struct {
	// Path is the whole path of the address. The zero value is "/".
	Path string
	// Query holds values that the address must have; others are ignored.
	Query map[string]string
	// File is the name of the body in Site.Files. Its ending gives the content type.
	File string
	// Status is the HTTP status; 0 means 200.
	Status int
	// Redirect, when set, is answered instead of a file.
	Redirect string
}

func (s Site) answersTo(host string) bool {
	return slices.ContainsFunc(s.Hosts, func(name string) bool {
		if suffix, wild := strings.CutPrefix(name, "*"); wild {
			return strings.HasSuffix(host, suffix)
		}
		return host == name
	})
}

func (s Site) page(address *url.URL) (Page, bool) {
	query := address.Query()
	for _, page := range s.Pages {
		if page.matches(address.Path, query) {
			return page, true
		}
	}
	return Page{}, false
}

func (p Page) matches(path string, query url.Values) bool {
	if path != cmp.Or(p.Path, "/") {
		return false
	}
	for name, value := range p.Query {
		if query.Get(name) != value {
			return false
		}
	}
	return true
}

// handler serves sites by the host name of each request. The function missed is
// called for each request to one of their hosts that no page fits, but for icons.
type handler struct {
	sites  []Site
	missed func(address string)
}

// Handler returns a handler that serves the sites by host name.
func Handler(sites ...Site) http.Handler {
	return handler{sites: sites, missed: func(string) {}}
}

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/favicon.ico" {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	host := hostname(r.Host)
	known := false
	for _, site := range h.sites {
		if !site.answersTo(host) {
			continue
		}
		known = true
		if page, ok := site.page(r.URL); ok {
			serve(w, r, site.Files, page)
			return
		}
	}
	// Other hosts are mostly those that Chrome asks on its own.
	if known {
		h.missed(host + r.URL.RequestURI())
	}
	http.Error(w, fmt.Sprintf("%s%s was not recorded", host, r.URL.RequestURI()), http.StatusNotFound)
}

func serve(w http.ResponseWriter, r *http.Request, files fs.FS, page Page) {
	w.Header().Set("Cache-Control", "no-store")
	if page.Redirect != "" {
		http.Redirect(w, r, page.Redirect, http.StatusFound)
		return
	}
	body, err := fs.ReadFile(files, page.File)
	if err != nil {
		http.Error(w, fmt.Sprintf("read the page of %s: %v", r.URL, err), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", contentType(page.File))
	w.WriteHeader(cmp.Or(page.Status, http.StatusOK))
	_, _ = w.Write(body) // the client went away: nobody is left to tell
}

// contentType is decided here and not by the system's table of types, which
// differs between machines.
func contentType(file string) string {
	switch {
	case strings.HasSuffix(file, ".svg"):
		return "image/svg+xml"
	case strings.HasSuffix(file, ".json"):
		return "application/json"
	default:
		return "text/html; charset=utf-8"
	}
}

// hostname is the name in a Host header, lower case, without port and trailing dot.
func hostname(host string) string {
	address := url.URL{Host: host}
	return strings.TrimSuffix(strings.ToLower(address.Hostname()), ".")
}
