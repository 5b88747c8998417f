package sites

import "embed"

//go:embed pages
var recordings embed.FS

// Recorded returns the sites of the shipped packs.
func Recorded() []Site {
	return []Site{
		{Hosts: []string{"www.google.com"}, Files: recordings, Pages: googlePages},
		{Hosts: []string{"google.com"}, Files: recordings, Pages: []Page{{Redirect: "https://www.google.com/"}}},
		{Hosts: []string{"consent.google.com"}, Files: recordings, Pages: []Page{{Path: "/m", File: "pages/google/consent.html"}}},
		{Hosts: []string{"x.com", "www.x.com"}, Files: recordings, Pages: xPages},
		{Hosts: []string{"en.wikipedia.org", "en.m.wikipedia.org"}, Files: recordings, Pages: wikipediaPages},
		{Hosts: []string{"de.wikipedia.org"}, Files: recordings, Pages: []Page{{Path: "/wiki/Glasreiher", File: "pages/wikipedia/glasreiher.html"}}},
	}
}

const searchPath = "/search"

var googlePages = []Page{
	{File: "pages/google/home.html"},
	{Path: searchPath, Query: map[string]string{"q": "glass heron", "start": "10"}, File: "pages/google/results-2.html"},
	{Path: searchPath, Query: map[string]string{"q": "glass heron"}, File: "pages/google/results.html"},
	{Path: searchPath, Query: map[string]string{"q": "qxzv heron"}, File: "pages/google/empty.html"},
	{Path: searchPath, Query: map[string]string{"q": "ask consent"}, Redirect: "https://consent.google.com/m?continue=https://www.google.com/search"},
	{Path: searchPath, Query: map[string]string{"q": "too many"}, Redirect: "https://www.google.com/sorry/index?continue=https://www.google.com/search"},
	{Path: "/sorry/index", File: "pages/google/sorry.html", Status: 429},
}

var xPages = []Page{
	{Path: searchPath, Query: map[string]string{"q": "tidal pools", "f": "user"}, File: "pages/x/people.html"},
	{Path: searchPath, Query: map[string]string{"q": "nobody here", "f": "user"}, File: "pages/x/people-empty.html"},
	{Path: searchPath, Query: map[string]string{"q": "broken", "f": "user"}, File: "pages/x/people-error.html"},
	{Path: searchPath, Query: map[string]string{"q": "signed out", "f": "user"}, Redirect: "https://x.com/i/flow/login?redirect_after_login=%2Fsearch"},
	{Path: "/i/flow/login", File: "pages/x/login.html"},
	{Path: "/tidalpoolclub", File: "pages/x/profile.html"},
}

var wikipediaPages = []Page{
	{Path: "/wiki/Glass_heron", File: "pages/wikipedia/glass-heron.html"},
	{Path: "/wiki/Glass_crane", File: "pages/wikipedia/glass-crane.html"},
	{Path: "/wiki/glass_heron", Redirect: "https://en.wikipedia.org/wiki/Glass_heron"},
	{Path: "/wiki/Heron", File: "pages/wikipedia/heron.html"},
	{Path: "/wiki/Glass_herring", File: "pages/wikipedia/missing.html", Status: 404},
}
