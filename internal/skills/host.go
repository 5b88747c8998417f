package skills

import (
	"strings"

	whatwg "github.com/nlnwa/whatwg-url/url"
)

// Hostname reads the host of a URL, or of a bare host such as "x.com:8080/p", by
// the WHATWG rules: lower case, punycode, IPv4 in all its spellings, one trailing
// dot removed. It is empty when there is none. A blob: URL has the host of its
// inner origin. Hosts of schemes that never match a pack are returned too, see
// [Catalog.Lookup].
func Hostname(input string) string {
	host, _ := parseHost(input)
	return host
}

// parseHost also says whether the host is that of a web page: http, https, or a
// bare host, which is read as https.
func parseHost(input string) (host string, web bool) {
	if host, ok := plainHost(input); ok {
		return host, true
	}
	if !strings.Contains(input, "://") {
		input = "https://" + input
	}
	u, err := whatwg.Parse(input)
	if err != nil {
		return "", false
	}
	if u.Scheme() == "blob" {
		if u, err = whatwg.Parse(u.Pathname()); err != nil || !isWebScheme(u.Scheme()) {
			return "", false
		}
	}
	host = strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	return host, host != "" && isWebScheme(u.Scheme())
}

func isWebScheme(scheme string) bool { return scheme == "http" || scheme == "https" }

// plainHost reads the inputs that nearly all calls have - a lower-case ASCII host,
// with or without http(s), port and path - without a parser and without
// allocating. It says no to whatever WHATWG might read in another way: that is
// the parser's business.
func plainHost(input string) (string, bool) {
	rest, ok := strings.CutPrefix(input, "https://")
	if !ok {
		if rest, ok = strings.CutPrefix(input, "http://"); !ok && strings.Contains(input, "://") {
			return "", false
		}
	}
	end := 0
	for end < len(rest) && isPlainHostByte(rest[end]) {
		end++
	}
	if !plainPort(rest[end:]) {
		return "", false
	}
	host := strings.TrimSuffix(rest[:end], ".")
	if host == "" || host[0] == '.' || host[len(host)-1] == '.' ||
		strings.Contains(host, "..") || strings.Contains(host, "xn--") {
		return "", false
	}
	// A last label that begins with a digit may make the host an IPv4 address.
	if last := host[strings.LastIndexByte(host, '.')+1:]; last[0] >= '0' && last[0] <= '9' {
		return "", false
	}
	return host, true
}

func isPlainHostByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '-'
}

// plainPort says whether what follows a host is nothing, a path, query or
// fragment, with an ordinary port before it.
func plainPort(rest string) bool {
	if strings.HasPrefix(rest, ":") {
		n, after := digits(rest[1:])
		if n > 4 { // five digits may be too many
			return false
		}
		rest = after
	}
	return rest == "" || rest[0] == '/' || rest[0] == '?' || rest[0] == '#'
}
