package fetch

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestDenies holds what server-side request forgery was made of elsewhere
// (veryfront-code #2324, rowboat #519): every spelling of loopback, metadata
// services, names that resolve to private addresses, other schemes.
func TestDenies(t *testing.T) {
	c := newClient(t, Config{Resolver: resolverTo([4]byte{10, 1, 2, 3})})
	for _, tt := range []struct{ url, rule, address string }{
		{"http://127.0.0.1/", RulePrivate, "127.0.0.1"},
		{"http://127.1:8080/", RulePrivate, "127.0.0.1"},
		{"http://0x7f.1/", RulePrivate, "127.0.0.1"},
		{"http://2130706433/", RulePrivate, "127.0.0.1"},
		{"http://0177.0.0.01/", RulePrivate, "127.0.0.1"},
		{"http://１２７.０.０.１/", RulePrivate, "127.0.0.1"},
		{"http://127.0.0.1./", RulePrivate, "127.0.0.1"},
		{"HTTP:\\\\127.0.0.1\\a", RulePrivate, "127.0.0.1"},
		{"ht\ntp://127.0.0.1/", RulePrivate, "127.0.0.1"},
		{"http://0/", RulePrivate, "0.0.0.0"},
		{"http://[::1]:3000/", RulePrivate, "::1"},
		{"http://[::ffff:127.0.0.1]/", RulePrivate, "::ffff:127.0.0.1"},
		{"http://[::ffff:a9fe:a9fe]/", RulePrivate, "::ffff:169.254.169.254"},
		{"http://[fd00:ec2::254]/latest/meta-data", RulePrivate, "fd00:ec2::254"},
		{"http://[64:ff9b::7f00:1]/", RulePrivate, "64:ff9b::7f00:1"},
		{"http://169.254.169.254/latest/meta-data/", RulePrivate, "169.254.169.254"},
		{"http://100.100.100.200/", RulePrivate, "100.100.100.200"},
		{"http://168.63.129.16/", RulePrivate, "168.63.129.16"},
		{"http://192.168.0.1/", RulePrivate, "192.168.0.1"},
		{"http://localhost:9222/json", RulePrivate, ""},
		{"http://innocent.example/", RulePrivate, "10.1.2.3"},
		{"https://innocent.example:8443/", RulePrivate, "10.1.2.3"},
		{"http://metadata.google.internal/", RulePrivate, "10.1.2.3"},
		{"file:///etc/passwd", RuleScheme, ""},
		{"unix:/var/run/docker.sock", RuleScheme, ""},
		{"http+unix://%2Fvar%2Frun%2Fdocker.sock/info", RuleScheme, ""},
		{"ftp://example.com/", RuleScheme, ""},
		{"gopher://example.com/", RuleScheme, ""},
		{"data:text/plain,x", RuleScheme, ""},
		{"javascript:1", RuleScheme, ""},
	} {
		_, err := c.Do(t.Context(), Request{URL: tt.url})
		var denied *DeniedError
		if !errors.As(err, &denied) {
			t.Errorf("%s: %v, want it denied", tt.url, err)
			continue
		}
		if denied.Rule != tt.rule || tt.address != "" && denied.Address != tt.address {
			t.Errorf("%s: rule %s, address %s; want %s, %s", tt.url, denied.Rule, denied.Address, tt.rule, tt.address)
		}
		if denied.URL == "" || !strings.Contains(err.Error(), denied.Reason) {
			t.Errorf("%s: message %q does not say what was refused and why", tt.url, err)
		}
	}
}

// TestDeniesRedirects is the same after a redirect from a public page.
func TestDeniesRedirects(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if to := r.URL.Query().Get("to"); to != "" {
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusFound)
		}
	})
	c := loopbackOnly(t, Config{Resolver: resolverTo([4]byte{10, 1, 2, 3})})
	for _, tt := range []struct{ to, rule string }{
		{"http://10.0.0.1/", RulePrivate},
		{"http://169.254.169.254/latest/", RulePrivate},
		{"//0xa9.0xfea9fe/latest/", RulePrivate},
		{"http://[::1]/", RulePrivate},
		{"http://innocent.example/", RulePrivate},
		{s.URL + "/?to=" + url.QueryEscape("http://192.168.1.1/"), RulePrivate},
		{"file:///etc/passwd", RuleScheme},
		{"unix:/run/x.sock", RuleScheme},
	} {
		_, err := c.Do(t.Context(), Request{URL: s.URL + "/?to=" + url.QueryEscape(tt.to)})
		var denied *DeniedError
		if !errors.As(err, &denied) || denied.Rule != tt.rule {
			t.Errorf("redirect to %s: %v, want it denied by %s", tt.to, err, tt.rule)
		}
	}
	if _, err := c.Do(t.Context(), Request{URL: s.URL + "/?to=/plain"}); err != nil {
		t.Errorf("a redirect to a public page: %v", err)
	}
}

// TestAllowPrivate is the client of --allow-private-net, on every spelling of
// the address of a server on loopback.
func TestAllowPrivate(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("in")) })
	_, port, _ := strings.Cut(strings.TrimPrefix(s.URL, "http://"), ":")
	c := newClient(t, Config{AllowPrivate: true, Resolver: resolverTo([4]byte{127, 0, 0, 1})})
	for _, host := range []string{"127.0.0.1", "0x7f.1", "2130706433", "localhost", "internal.example"} {
		answer, err := c.Do(t.Context(), Request{URL: "http://" + host + ":" + port + "/"})
		if err != nil || answer.Text() != "in" {
			t.Errorf("%s: %v, want the page", host, err)
		}
	}
	if _, err := c.Do(t.Context(), Request{URL: "file:///etc/passwd"}); !errors.As(err, new(*DeniedError)) {
		t.Errorf("file: with private addresses allowed: %v, want it denied", err)
	}
}

// TestNoProxy holds that the environment does not send requests elsewhere.
func TestNoProxy(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { w.Write([]byte(r.URL.String())) })
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	t.Setenv("http_proxy", "http://127.0.0.1:1")
	c := newClient(t, Config{AllowPrivate: true, Resolver: resolverTo([4]byte{127, 0, 0, 1})})
	_, port, _ := strings.Cut(strings.TrimPrefix(s.URL, "http://"), ":")
	answer, err := c.Do(t.Context(), Request{URL: "http://direct.example:" + port + "/a"})
	if err != nil || answer.Text() != "/a" {
		t.Errorf("with a proxy in the environment: %v, want a direct request", err)
	}
}
