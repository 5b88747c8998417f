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

// WebHost is Hostname for addresses that packs can match: those of http and https, and
// bare hosts. It is empty for all others.
func WebHost(input string) string {
	if host, web := parseHost(input); web {
		return host
	}
	return ""
}

// parseHost also says whether the host is that of a web page: http, https, or a
// bare host, which is read as https.
func parseHost(input string) (host string, web bool) {
	if host, ok := plainHost(input); ok {
		return host, true
	}
	return parseHostSlow(input)
}

// parseHostSlow is parseHost for inputs of any kind.
func parseHostSlow(input string) (host string, web bool) {
	if !strings.Contains(input, "://") {
		input = "https://" + input
	}
	input, isBlob := strings.CutPrefix(hostPart(input), "blob:")
	if isBlob {
		if input = hostPart(input); strings.HasPrefix(input, "blob:") {
			return "", false
		}
	}
	u, err := whatwg.Parse(input)
	if err != nil || isBlob && !isWebScheme(u.Scheme()) {
		return "", false
	}
	host = strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	return host, host != "" && isWebScheme(u.Scheme())
}

// maxAuthority bounds what the parser gets to see. Names end at 253 characters;
// escapes and Unicode may need some times that.
const maxAuthority = 4096

// hostPart cuts a URL down to what its host is read from, by the states of the
// WHATWG parser: no user and password, no path, query and fragment. The parser
// takes minutes for some long inputs that have no bearing on the host. The result
// is empty when there is no host to read.
func hostPart(input string) string {
	s := strings.Trim(input, c0AndSpace)
	if strings.ContainsAny(s, "\t\n\r") {
		s = strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(s)
	}
	scheme, rest, ok := strings.Cut(s, ":")
	if !ok || len(scheme) > maxAuthority {
		return ""
	}
	slashes := "/"
	switch scheme = strings.ToLower(scheme); scheme {
	case "blob":
		return "blob:" + rest
	case "http", "https", "ws", "wss", "ftp":
		slashes = `/\`
		rest = "//" + strings.TrimLeft(rest, slashes)
	case "file":
		slashes = `/\`
	}
	if len(rest) < 2 || !strings.Contains(slashes, rest[:1]) || !strings.Contains(slashes, rest[1:2]) {
		return ""
	}
	authority := rest[2:]
	if i := strings.IndexAny(authority, slashes+"?#"); i >= 0 {
		authority = authority[:i]
	}
	if i := strings.LastIndexByte(authority, '@'); i >= 0 && scheme != "file" {
		authority = authority[i+1:]
		if authority == "" {
			return ""
		}
	}
	if len(authority) > maxAuthority {
		return ""
	}
	return scheme + "://" + authority + "/" // the parser strips blanks at the end
}

// c0AndSpace is what the WHATWG parser strips from both ends of its input.
const c0AndSpace = "\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0b\x0c\r\x0e\x0f" +
	"\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f "

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
