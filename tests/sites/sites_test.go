package sites

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"go.uber.org/goleak"
)

var example = Site{
	Hosts: []string{"shop.test", "*.shop.test"},
	Files: fstest.MapFS{
		"home.html":  {Data: []byte("<h1>home</h1>")},
		"cart.html":  {Data: []byte("<h1>cart</h1>")},
		"items.json": {Data: []byte("[]")},
	},
	Pages: []Page{
		{File: "home.html"},
		{Path: "/find", Query: map[string]string{"q": "lamp", "page": "2"}, File: "cart.html"},
		{Path: "/find", Query: map[string]string{"q": "lamp"}, File: "home.html"},
		{Path: "/items.json", File: "items.json"},
		{Path: "/old", Redirect: "https://shop.test/"},
		{Path: "/gone", File: "cart.html", Status: http.StatusGone},
		{Path: "/unreadable", File: "nothing.html"},
	},
}

func TestHandler(t *testing.T) {
	tests := []struct {
		name, address string
		status        int
		body, header  string
	}{
		{name: "root", address: "http://shop.test/", status: 200, body: "<h1>home</h1>", header: "Content-Type: text/html; charset=utf-8"},
		{name: "port and case of the host", address: "http://SHOP.test:8443/", status: 200, body: "home"},
		{name: "trailing dot", address: "http://shop.test./", status: 200, body: "home"},
		{name: "wildcard", address: "http://de.shop.test/", status: 200, body: "home"},
		{name: "wildcard needs a dot", address: "http://eshop.test/", status: 404, body: "eshop.test/ was not recorded"},
		{name: "first page that fits", address: "http://shop.test/find?q=lamp&page=2", status: 200, body: "cart"},
		{name: "other query values are ignored", address: "http://shop.test/find?hl=en&q=lamp", status: 200, body: "home"},
		{name: "a query value that differs", address: "http://shop.test/find?q=chair", status: 404, body: "shop.test/find?q=chair was not recorded"},
		{name: "json", address: "http://shop.test/items.json", status: 200, body: "[]", header: "Content-Type: application/json"},
		{name: "redirect", address: "http://shop.test/old", status: 302, header: "Location: https://shop.test/"},
		{name: "status", address: "http://shop.test/gone", status: 410, body: "cart"},
		{name: "file that is not there", address: "http://shop.test/unreadable", status: 500, body: "read the page of"},
		{name: "unknown host", address: "http://other.test/a?b", status: 404, body: "other.test/a?b was not recorded"},
		{name: "icon", address: "http://other.test/favicon.ico", status: 204},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			Handler(example).ServeHTTP(w, httptest.NewRequest(http.MethodGet, test.address, nil))
			if w.Code != test.status || !strings.Contains(w.Body.String(), test.body) {
				t.Errorf("got %d %q, want %d with %q", w.Code, w.Body, test.status, test.body)
			}
			if name, value, ok := strings.Cut(test.header, ": "); ok && w.Header().Get(name) != value {
				t.Errorf("header %s is %q, want %q", name, w.Header().Get(name), value)
			}
		})
	}
}

// TestRecordedPagesExist asks the recorded sites for every address they declare.
func TestRecordedPagesExist(t *testing.T) {
	used := map[string]bool{}
	for _, site := range Recorded() {
		for _, page := range site.Pages {
			if page.Redirect != "" {
				continue
			}
			used[page.File] = true
			if _, err := fs.Stat(site.Files, page.File); err != nil {
				t.Errorf("%s%s: %v", site.Hosts[0], page.Path, err)
			}
		}
	}
	err := fs.WalkDir(recordings, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && !used[name] {
			t.Errorf("no address leads to %s", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestServer speaks TLS and plain HTTP to one port, as Chrome does when every
// host name leads there.
func TestServer(t *testing.T) {
	defer goleak.VerifyNone(t)
	server, err := Start(t.Context(), example)
	if err != nil {
		t.Fatal(err)
	}
	defer closeServer(t, server)

	var seen [sha256.Size]byte
	client := mappedClient(server, func(certificate *x509.Certificate) {
		seen = sha256.Sum256(certificate.RawSubjectPublicKeyInfo)
	})
	defer client.CloseIdleConnections()
	for _, address := range []string{"https://shop.test/", "http://shop.test/", "https://www.shop.test/"} {
		if got := get(t, client, address); got != "<h1>home</h1>" {
			t.Errorf("%s: got %q", address, got)
		}
	}
	pin := "--ignore-certificate-errors-spki-list=" + base64.StdEncoding.EncodeToString(seen[:])
	args := server.ChromeArgs()
	if !slices.Contains(args, pin) || !slices.Contains(args, "--host-resolver-rules=MAP * "+server.Addr()) {
		t.Errorf("ChromeArgs() = %q, want the address and %q", args, pin)
	}
	if got := server.EgodArgs(); len(got) != len(args) || got[0] != "--chrome-arg="+args[0] {
		t.Errorf("EgodArgs() = %q for ChromeArgs() %q", got, args)
	}

	get(t, client, "https://shop.test/nowhere?a=b")
	get(t, client, "https://elsewhere.test/")
	if got, want := server.Misses(), []string{"shop.test/nowhere?a=b"}; !slices.Equal(got, want) {
		t.Errorf("Misses() = %q, want %q", got, want)
	}
}

// TestServerCloseEndsSilentConnections covers a client that connects and sends nothing.
func TestServerCloseEndsSilentConnections(t *testing.T) {
	defer goleak.VerifyNone(t)
	server, err := Start(t.Context(), example)
	if err != nil {
		t.Fatal(err)
	}
	var dialer net.Dialer
	conn, err := dialer.DialContext(t.Context(), "tcp", server.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	closeServer(t, server)
	if n, err := conn.Read(make([]byte, 1)); err == nil {
		t.Errorf("read %d bytes from a closed server", n)
	}
}

// mappedClient sends every host to the server and hands each certificate to see.
func mappedClient(server *Server, see func(*x509.Certificate)) *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy = nil
	transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		var dialer net.Dialer
		return dialer.DialContext(ctx, network, server.Addr())
	}
	// Every host leads to the server, also those that its certificate does not name.
	transport.TLSClientConfig = &tls.Config{InsecureSkipVerify: true, VerifyConnection: func(state tls.ConnectionState) error {
		see(state.PeerCertificates[0])
		return nil
	}}
	return &http.Client{Transport: transport}
}

func get(t *testing.T, client *http.Client, address string) string {
	t.Helper()
	answer, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func closeServer(t *testing.T, server *Server) {
	t.Helper()
	if err := server.Close(); err != nil {
		t.Error(err)
	}
}
