package fetch

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	whatwg "github.com/nlnwa/whatwg-url/url"
	"golang.org/x/net/http/httpguts"
)

// Redirects says what happens to an answer that leads elsewhere.
type Redirects string

// The modes of the Fetch standard.
const (
	Follow Redirects = "follow" // go there, which is the default
	Refuse Redirects = "error"  // fail
	Manual Redirects = "manual" // return the answer itself
)

// Request is what to get.
type Request struct {
	// URL is absolute and read by the WHATWG rules, as browsers do.
	URL string
	// Method is GET when it is empty.
	Method string
	// Header is sent along, but for the fields that belong to the connection and
	// the encoding of the answer, which are the client's own.
	Header http.Header
	// Body is sent when it is not nil.
	Body []byte
	// Timeout bounds the whole exchange; 0 means DefaultTimeout.
	Timeout   time.Duration
	Redirects Redirects
	// Check is asked before each request, those of redirects included; its error
	// ends the exchange and is returned as it is. Optional.
	Check func(*url.URL) error
}

// Bounds of what the URL parser gets to see. It reads the user name anew for
// every @, so that tens of thousands of them take seconds.
const (
	maxURL = 64 << 10
	maxAts = 1000
)

// parseURL reads a URL as a browser does, so that what is checked is what is
// dialled: 0x7f.1 is 127.0.0.1, names are in punycode. Base is for relative
// ones; empty for none.
func parseURL(raw, base string) (*url.URL, error) {
	if len(raw) > maxURL || strings.Count(raw, "@") > maxAts {
		return nil, &RequestError{"url", fmt.Sprintf("the url is longer than %d bytes, or holds more than %d @", maxURL, maxAts)}
	}
	parsed, err := whatwg.ParseRef(base, raw)
	if base == "" {
		parsed, err = whatwg.Parse(raw)
	}
	if err != nil {
		return nil, &RequestError{"url", fmt.Sprintf("%q is not an absolute url", raw)}
	}
	switch {
	case parsed.Scheme() != "http" && parsed.Scheme() != "https":
		return nil, &DeniedError{Rule: RuleScheme, URL: raw, Reason: fmt.Sprintf("scheme %q is not http or https", parsed.Scheme())}
	case parsed.Username() != "" || parsed.Password() != "":
		return nil, &RequestError{"url", "a url with a user name or password is not fetched: send an authorization header"}
	}
	u, err := url.Parse(parsed.Href(true))
	if err != nil {
		return nil, &RequestError{"url", fmt.Sprintf("%q cannot be requested", raw)}
	}
	return u, nil
}

// usualMethods are those that the Fetch standard takes in any case.
var usualMethods = []string{"DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH"}

// method returns the method in the case in which it is sent.
func (r *Request) method() (string, error) {
	upper := strings.ToUpper(r.Method)
	switch {
	case upper == "":
		return http.MethodGet, nil
	case slices.Contains(usualMethods, upper):
		return upper, nil
	case upper == http.MethodConnect || upper == http.MethodTrace || upper == "TRACK" || !httpguts.ValidHeaderFieldName(r.Method):
		return "", &RequestError{"method", fmt.Sprintf("%q is not a method that is sent", r.Method)}
	}
	return r.Method, nil
}

// isOwnField tells whether a header field is the client's own: it belongs to the
// connection, or says which encodings the client can read.
func isOwnField(name string) bool {
	switch name {
	case "Host", "Connection", "Content-Length", "Transfer-Encoding", "Accept-Encoding", "Keep-Alive", "Te", "Trailer", "Upgrade", "Expect":
		return true
	}
	return strings.HasPrefix(name, "Proxy-")
}

// header returns the fields that are sent.
func (r *Request) header() (http.Header, error) {
	sent := http.Header{"User-Agent": {DefaultUserAgent}, "Accept": {"*/*"}}
	own := make(http.Header)
	for name, values := range r.Header {
		if !httpguts.ValidHeaderFieldName(name) {
			return nil, &RequestError{"headers", fmt.Sprintf("%q is not the name of a header", name)}
		}
		if name = http.CanonicalHeaderKey(name); isOwnField(name) {
			continue
		}
		for _, value := range values {
			value = strings.Trim(value, " \t\r\n")
			if !httpguts.ValidHeaderFieldValue(value) {
				return nil, &RequestError{"headers", fmt.Sprintf("the value of header %s cannot be sent", name)}
			}
			own.Add(name, value)
		}
	}
	for name, values := range own {
		sent[name] = values
	}
	return sent, nil
}
