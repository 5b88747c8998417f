package tests

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"egod/tests/sites"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata with what egod answers")

// packCases run each tool of the shipped packs on its recorded pages. What the tool
// must return is in testdata/packs/<name>.json.
var packCases = []struct {
	name, site, tool string
	// open is the page a browser tool runs on. A case without it runs a node tool.
	open string
	args object
}{
	{name: "google-search", site: "google", tool: "search", args: object{"query": "glass heron"}},
	{name: "google-search-limit", site: "google", tool: "search", args: object{"query": "glass heron", "limit": 1, "language": "de"}},
	{name: "google-search-last-page", site: "google", tool: "search", args: object{"query": "glass heron", "page": 2}},
	{name: "google-search-empty", site: "google", tool: "search", args: object{"query": "qxzv heron"}},
	{name: "google-search-consent", site: "google", tool: "search", args: object{"query": "ask consent"}},
	{name: "google-search-blocked", site: "google", tool: "search", args: object{"query": "too many"}},
	{name: "google-extract", site: "google", tool: "search-extract", open: "https://www.google.com/search?q=glass+heron"},
	{name: "google-extract-ads", site: "google", tool: "search-extract", open: "https://www.google.com/search?q=glass+heron", args: object{"limit": 2, "includeAds": true}},
	{name: "google-extract-home", site: "google", tool: "search-extract", open: "https://www.google.com/"},

	{name: "x-users", site: "x-com", tool: "search-users", args: object{"query": "tidal pools", "limit": 6, "settleMs": 1000}},
	{name: "x-users-all", site: "x-com", tool: "search-users", args: object{"query": "tidal pools", "limit": 100, "maxScrolls": 50, "settleMs": 1000}},
	{name: "x-users-empty", site: "x-com", tool: "search-users", args: object{"query": "nobody here"}},
	{name: "x-users-error", site: "x-com", tool: "search-users", args: object{"query": "broken"}},
	{name: "x-users-login", site: "x-com", tool: "search-users", args: object{"query": "signed out"}},
	{name: "x-timeline", site: "x-com", tool: "extract-timeline", open: "https://x.com/tidalpoolclub", args: object{"limit": 3}},
	{name: "x-timeline-scrolled", site: "x-com", tool: "extract-timeline", open: "https://x.com/tidalpoolclub", args: object{"limit": 12, "maxScrolls": 20, "settleMs": 1000, "includePromoted": true}},
	{name: "x-timeline-all", site: "x-com", tool: "extract-timeline", open: "https://x.com/tidalpoolclub", args: object{"limit": 100, "maxScrolls": 50, "settleMs": 1000}},
	{name: "x-timeline-none", site: "x-com", tool: "extract-timeline", open: "https://x.com/i/flow/login"},

	{name: "wikipedia-article", site: "wikipedia", tool: "read-article", args: object{"title": "Glass heron", "maxChars": 400}},
	{name: "wikipedia-section", site: "wikipedia", tool: "read-article", args: object{"title": "glass heron", "sections": []string{"description"}}},
	{name: "wikipedia-redirected", site: "wikipedia", tool: "read-article", args: object{"title": "https://en.wikipedia.org/wiki/Glass_crane#Voice", "maxChars": 20}},
	{name: "wikipedia-disambiguation", site: "wikipedia", tool: "read-article", args: object{"title": "Heron"}},
	{name: "wikipedia-missing", site: "wikipedia", tool: "read-article", args: object{"title": "Glass_herring"}},
	{name: "wikipedia-other-language", site: "wikipedia", tool: "read-article", args: object{"title": "Glasreiher", "language": "de"}},
	{name: "wikipedia-infobox", site: "wikipedia", tool: "extract-infobox", open: "https://en.wikipedia.org/wiki/Glass_heron"},
	{name: "wikipedia-no-infobox", site: "wikipedia", tool: "extract-infobox", open: "https://en.wikipedia.org/wiki/Heron", args: object{"includeLinks": false}},
}

func TestPacks(t *testing.T) {
	d := startOnSites(t)
	for _, test := range packCases {
		t.Run(test.name, func(t *testing.T) {
			method := "runTool"
			if test.open != "" {
				method = "runBrowserTool"
				resultOf(t, d, "page.goto", object{"url": test.open})
			}
			params := object{"siteId": test.site, "toolName": test.tool}
			if test.args != nil {
				params["args"] = test.args
			}
			var result struct{ Value json.RawMessage }
			if err := json.Unmarshal(resultOf(t, d, method, params), &result); err != nil {
				t.Fatal(err)
			}
			compareGolden(t, filepath.Join("testdata", "packs", test.name+".json"), result.Value)
		})
	}
}

// resultOf is the result of a call. It fails the test it is given, not the one that
// started the daemon.
func resultOf(t *testing.T, d *daemon, method string, params any) json.RawMessage {
	t.Helper()
	a := d.call(method, params)
	if a.Error != nil {
		t.Fatalf("%s: %s", method, a.raw)
	}
	return a.Result
}

// TestPacksReuseTheirTab calls tools again and again, as agents do, and counts tabs.
func TestPacksReuseTheirTab(t *testing.T) {
	d := startOnSites(t)
	count := func() int {
		var tabs []struct{ URL string }
		d.result("browser.listTabs", object{}, &tabs)
		return len(tabs)
	}
	var first int
	for round := range 3 {
		for _, query := range []string{"glass heron", "qxzv heron"} {
			d.result("runTool", object{"siteId": "google", "toolName": "search", "args": object{"query": query}}, nil)
		}
		for _, title := range []string{"Glass heron", "Heron"} {
			d.result("runTool", object{"siteId": "wikipedia", "toolName": "read-article", "args": object{"title": title}}, nil)
		}
		if round == 0 {
			first = count()
		}
	}
	if last := count(); last != first {
		t.Errorf("%d tabs are open after three rounds, %d after the first", last, first)
	}
}

// startOnSites runs egod with a Chrome for which every host is a recorded site. The
// test fails when a tool asks for an address of such a site that is not recorded.
func startOnSites(t *testing.T) *daemon {
	t.Helper()
	server, err := sites.Start(t.Context(), sites.Recorded()...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
		if misses := server.Misses(); len(misses) > 0 {
			t.Errorf("tools asked for addresses that are not recorded: %q", misses)
		}
	})
	return startClean(t, append([]string{"serve"}, server.EgodArgs()...)...)
}

// compareGolden compares JSON with a file, or writes the file under -update.
func compareGolden(t *testing.T, file string, got json.RawMessage) {
	t.Helper()
	if *update {
		var pretty bytes.Buffer
		if err := json.Indent(&pretty, got, "", "  "); err != nil {
			t.Fatal(err)
		}
		pretty.WriteByte('\n')
		if err := os.WriteFile(file, pretty.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (run with -update to write it)", err)
	}
	if diff := cmp.Diff(decode(t, want), decode(t, got)); diff != "" {
		t.Errorf("value differs from %s (-want +got):\n%s", file, diff)
	}
}

func decode(t *testing.T, text []byte) any {
	t.Helper()
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return value
}
