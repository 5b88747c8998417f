package runtime

import (
	"strings"

	"github.com/dop251/goja"
	"github.com/nlnwa/whatwg-url/url"
	"golang.org/x/net/idna"
)

// urlMember is the part of native that mod_url.js uses.
func (r *gojaRealm) urlMember(name string) any {
	switch name {
	case "urlParse":
		return r.urlParse
	case "urlGet":
		return urlGet
	case "urlSet":
		return urlSet
	case "formDecode":
		return formDecode
	case "domainToUnicode":
		return domainToUnicode
	}
	return nil
}

// urlParse is native.urlParse(input, base): a handle, or null when it is no URL.
func (r *gojaRealm) urlParse(input string, base goja.Value) goja.Value {
	var u *url.Url
	var err error
	if goja.IsUndefined(base) {
		u, err = url.Parse(input)
	} else {
		u, err = url.ParseRef(base.String(), input)
	}
	if err != nil {
		return goja.Null()
	}
	return r.vm.ToValue(u)
}

func urlGet(u *url.Url, field string) string {
	switch field {
	case "href":
		return u.Href(false)
	case "origin":
		return urlOrigin(u)
	case "protocol":
		return u.Protocol()
	case "username":
		return u.Username()
	case "password":
		return u.Password()
	case "host":
		return u.Host()
	case "hostname":
		return u.Hostname()
	case "port":
		return u.Port()
	case "pathname":
		return u.Pathname()
	case "search":
		return u.Search()
	case "hash":
		return u.Hash()
	}
	return ""
}

func urlSet(u *url.Url, field, value string) {
	switch field {
	case "protocol":
		u.SetProtocol(value)
	case "username":
		u.SetUsername(value)
	case "password":
		u.SetPassword(value)
	case "host":
		u.SetHost(value)
	case "hostname":
		u.SetHostname(value)
	case "port":
		u.SetPort(value)
	case "pathname":
		u.SetPathname(value)
	case "search":
		u.SetSearch(value)
	case "hash":
		u.SetHash(value)
	}
}

// urlOrigin is the serialised origin: only network schemes have one, and a blob
// has that of the URL inside.
func urlOrigin(u *url.Url) string {
	switch u.Scheme() {
	case "http", "https", "ws", "wss", "ftp":
		return u.Protocol() + "//" + u.Host()
	case "blob":
		if inner, err := url.Parse(u.Pathname()); err == nil && (inner.Scheme() == "http" || inner.Scheme() == "https") {
			return urlOrigin(inner)
		}
	}
	return "null"
}

// formDecode decodes a part of application/x-www-form-urlencoded text.
func formDecode(s string) string {
	if !strings.ContainsAny(s, "+%") {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '+':
			out = append(out, ' ')
		case c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			out = append(out, unhex(s[i+1])<<4|unhex(s[i+2]))
			i += 2
		default:
			out = append(out, c)
		}
	}
	return decodeUTF8(out)
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

func unhex(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c >= 'a':
		return c - 'a' + 10
	}
	return c - 'A' + 10
}

func domainToUnicode(name string) string {
	text, err := idna.ToUnicode(name)
	if err != nil {
		return name
	}
	return text
}
