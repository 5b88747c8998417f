package skills

import (
	"regexp"
	"strings"
	"testing"
	"time"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// TestHostname reads hosts as the original does, row by row, and better where it was wrong.
func TestHostname(t *testing.T) {
	for _, c := range []struct {
		in, host string
		web      bool
	}{
		{"x.com", "x.com", true}, {"X.COM", "x.com", true}, {"x.com.", "x.com", true}, {"https://x.com.:443/", "x.com", true},
		{"x.com:8080/p", "x.com", true}, {"user@x.com", "x.com", true}, {"//x.com/a", "x.com", true}, {`x.com\@y.com`, "x.com", true},
		{"https://user:pw@x.com/", "x.com", true}, {"mailto:a@x.com", "x.com", true},
		{"bücher.de", "xn--bcher-kva.de", true}, {"https://BÜCHER.de", "xn--bcher-kva.de", true},
		{"http://[2001:DB8::1]:80/", "[2001:db8::1]", true},
		{"127.1", "127.0.0.1", true}, {"0x7f.1", "127.0.0.1", true},
		{"x。com", "x.com", true}, {"x.com..", "x.com.", true}, {"*.x.com", "*.x.com", true},
		{"", "", false}, {"   ", "", false}, {" x.com ", "", false}, {"foo bar", "", false},
		{"about:blank", "", false}, {"data:text/html,x", "", false}, {"file:///a", "", false}, {"view-source:https://x.com", "", false},
		{"x.com/r?u=https://y.com", "", false}, {"::1", "", false}, {"http://x.com:99999/", "", false},
		{"chrome://settings", "settings", false}, {"custom://Foo.BAR/x", "foo.bar", false}, {"ftp://FTP.X.com", "ftp.x.com", false},
		{"5", "0.0.0.5", true}, {"null", "null", true}, {"javascript:1", "javascript", true},
		// Better than the original: the inner origin of blob:, and only that.
		{"blob:https://x.com/0-1-2", "x.com", true}, {"blob:null/0", "", false}, {"blob:ftp://x.com/0", "", false},
		{"blob:blob:https://x.com/0", "", false},
		// Hosts that try to be paths, or to be too long for one.
		{"https://..%2f..", "", false}, {`https://a\b`, "a", true}, {"https://a\x00b", "", false}, {"https://a%00b", "", false},
		{"https://" + strings.Repeat("a", 300) + ".com", strings.Repeat("a", 300) + ".com", true},
		{"https://x.com?q", "x.com", true}, {"https://x.com#f", "x.com", true}, {"HTTPS://X.com", "x.com", true},
		{"https://x\t.com", "x.com", true}, {"https://1e100.net/", "1e100.net", true}, {"https://.x.com", ".x.com", true},
	} {
		host, web := parseHost(c.in)
		if host != c.host || web != c.web {
			t.Errorf("parseHost(%q) = %q, %v; want %q, %v", c.in, host, web, c.host, c.web)
		}
		if got := Hostname(c.in); got != c.host {
			t.Errorf("Hostname(%q) = %q; want %q", c.in, got, c.host)
		}
	}
}

func TestOrdinaryHostsCostNoAllocation(t *testing.T) {
	for _, in := range []string{"x.com", "https://www.x.com/a?b", "http://localhost:8080"} {
		if n := testing.AllocsPerRun(100, func() { Hostname(in) }); n != 0 {
			t.Errorf("Hostname(%q) makes %v allocations", in, n)
		}
	}
}

var signedNumber = regexp.MustCompile(`[-+]+[0-9]`)

// FuzzHostname holds the shortcut for ordinary hosts to the parser's answer.
func FuzzHostname(f *testing.F) {
	for _, s := range []string{"x.com", "https://x.com:80/a", "http://a.b-c.d1/", "https://x.1/", "xn--a.com", "https://x.com:a@b/", "blob:https://x.com/", "https://[::1]/", "x.com:65536"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		if len(in) > 200 {
			return // the whole parser is too slow for some long inputs
		}
		if signedNumber.MatchString(in) {
			return // the parser takes -0 for an IPv4 address, browsers do not
		}
		host, web := parseHost(in)
		if !strings.Contains(in, "://") {
			in = "https://" + in
		}
		u, err := whatwg.Parse(in)
		if err != nil || u.Scheme() == "blob" {
			if host != "" && err != nil {
				t.Errorf("%q: host %q, and the parser says %v", in, host, err)
			}
			return
		}
		want := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
		if host != want || web != (want != "" && isWebScheme(u.Scheme())) {
			t.Errorf("%q: host %q %v, by the whole parser %q", in, host, web, want)
		}
	})
}

// TestLongHostsAreCheap holds what keeps a parser busy for seconds.
func TestLongHostsAreCheap(t *testing.T) {
	for _, in := range []string{
		"https://" + strings.Repeat("a@", 100_000) + "x.com",
		"https://" + strings.Repeat("A", 1_000_000), "https://" + strings.Repeat("A.", 500_000),
		"https:" + strings.Repeat("/", 1_000_000) + "x.com", "https://X.com/" + strings.Repeat("../", 300_000),
		strings.Repeat("blob:", 100_000) + "https://x.com", "https://" + strings.Repeat("ü.", 100_000),
	} {
		start := time.Now()
		if host := Hostname(in); host != "" && host != "x.com" {
			t.Errorf("%.20q: host %.20q", in, host)
		}
		if took := time.Since(start); took > 5*time.Second { // minutes, without the cut
			t.Errorf("%.20q took %v", in, took)
		}
	}
}

func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern string
		matches string // hosts, space separated
		not     string
		code    string
		hintHas string
	}{
		{pattern: "x.com", matches: "x.com", not: "a.x.com notx.com"},
		{pattern: "*.x.com", matches: "a.x.com a.b.x.com", not: "x.com notx.com .x.com"},
		{pattern: "X.COM", matches: "x.com"},
		{pattern: "x.com.", matches: "x.com", code: "domain.invalid", hintHas: `"x.com"`},
		{pattern: "*.x.com.", matches: "a.x.com", code: "domain.invalid"},
		{pattern: "münchen.example", matches: "xn--mnchen-3ya.example"},
		{pattern: "MÜNCHEN.example", matches: "xn--mnchen-3ya.example"},
		{pattern: "xn--mnchen-3ya.example", matches: "xn--mnchen-3ya.example"},
		{pattern: "*.例え.jp", matches: "a.xn--r8jz45g.jp", not: "xn--r8jz45g.jp"},
		{pattern: "x。com", matches: "x.com"},
		{pattern: "[::1]", matches: "[::1]"},
		{pattern: "127.0.0.1", matches: "127.0.0.1"},
		{pattern: "localhost", matches: "localhost"},
		{pattern: "", code: "domain.invalid"},
		{pattern: "https://x.com/a", not: "x.com", code: "domain.invalid", hintHas: `"x.com"`},
		{pattern: "x.com/a", not: "x.com", code: "domain.invalid"},
		{pattern: ".x.com", not: "x.com a.x.com", code: "domain.invalid", hintHas: `"*.x.com"`},
		{pattern: "*", not: "x.com *", code: "domain.invalid"},
		{pattern: "*.", code: "domain.invalid"},
		{pattern: "a.*.com", not: "a.b.com", code: "domain.invalid"},
		{pattern: "*.*.com", not: "a.b.com", code: "domain.invalid"},
		{pattern: "x*.com", code: "domain.invalid"},
		{pattern: "*.com", matches: "x.com", code: "domain.public-suffix"},
		{pattern: "*.co.uk", matches: "x.co.uk", code: "domain.public-suffix"},
		{pattern: "*.github.io", matches: "x.github.io"},
		{pattern: "x.com:8080", not: "x.com", code: "domain.never-matches"},
		{pattern: " x.com", not: "x.com", code: "domain.never-matches"},
		{pattern: "x .com", not: "x.com", code: "domain.never-matches"},
		{pattern: "a@x.com", not: "x.com", code: "domain.never-matches"},
		{pattern: "*.127.0.0.1", not: "1.127.0.0.1", code: "domain.never-matches"},
		{pattern: "*.[::1]", code: "domain.never-matches"},
		{pattern: "xn--a.com", code: "domain.idn"},
		{pattern: "\u0600bc.com", code: "domain.idn"},
	} {
		p, fault := parsePattern(c.pattern)
		code, hint := "", ""
		if fault != nil {
			code, hint = fault.code.Name, fault.hint
		}
		if code != c.code || !strings.Contains(hint, c.hintHas) {
			t.Errorf("%q: finding %q, hint %q; want %q, %q", c.pattern, code, hint, c.code, c.hintHas)
		}
		for host := range strings.FieldsSeq(c.matches) {
			if !p.matches(host) {
				t.Errorf("%q does not match %q", c.pattern, host)
			}
		}
		for host := range strings.FieldsSeq(c.not) {
			if p.matches(host) {
				t.Errorf("%q matches %q", c.pattern, host)
			}
		}
	}
}

func TestLookupOrder(t *testing.T) {
	c := load(t, merge(
		packOf("gmail", "mail.google.com"),
		packOf("google", "*.google.com", "google.com"),
		packOf("anything", "*.com"),
		packOf("deep", "*.mail.google.com"),
		packOf("also", "mail.google.com", "*.google.com"),
	))
	for _, q := range []struct{ url, want string }{
		{"https://mail.google.com/u/0", "also=mail.google.com gmail=mail.google.com google=*.google.com anything=*.com"},
		{"https://a.mail.google.com/", "deep=*.mail.google.com also=*.google.com google=*.google.com anything=*.com"},
		{"google.com", "google=google.com anything=*.com"},
		{"com", ""}, {"chrome://google.com", ""}, {"ftp://google.com", ""}, {"blob:https://google.com/1", "google=google.com anything=*.com"},
	} {
		_, matches := c.Lookup(q.url)
		var got []string
		for _, m := range matches {
			got = append(got, m.Pack.ID+"="+m.Pattern)
			if (m.Kind == MatchWildcard) != strings.HasPrefix(m.Pattern, "*.") {
				t.Errorf("%s: kind %s of %s", q.url, m.Kind, m.Pattern)
			}
		}
		if strings.Join(got, " ") != q.want {
			t.Errorf("%s: %v, want %s", q.url, got, q.want)
		}
	}
	// What one caller appends must not show up at another.
	_, m := c.Lookup("google.com")
	_ = append(m, Match{})
	if _, again := c.Lookup("google.com"); len(again) != 2 {
		t.Errorf("lookup returned %v", again)
	}
}

func merge(all ...files) files {
	out := files{}
	for _, fs := range all {
		for k, v := range fs {
			out[k] = v
		}
	}
	return out
}
