package skills

import (
	"fmt"
	"strings"

	"golang.org/x/net/publicsuffix"
)

// MatchKind says how a pattern matched a host.
type MatchKind string

const (
	// MatchExact is a host that equals the pattern.
	MatchExact MatchKind = "exact"
	// MatchWildcard is a host somewhere below the suffix of a *. pattern. The
	// suffix itself is not matched: *.x.com says nothing about x.com.
	MatchWildcard MatchKind = "wildcard"
)

// pattern is one domain of a manifest, made comparable with [Hostname]'s result.
type pattern struct {
	text string // as declared
	host string // canonical, without "*."; empty when nothing can match
	kind MatchKind
}

// parsePattern canonicalises a declared domain as hosts of URLs are, so that
// both sides of a comparison went through the same rules. A fault does not keep a
// pattern from matching where its meaning is plain.
func parsePattern(text string) (pattern, *domainFault) {
	p := pattern{text: text, kind: MatchExact}
	fault := domainShape(text)
	rest := strings.TrimSuffix(text, ".")
	if suffix, ok := strings.CutPrefix(rest, "*."); ok {
		p.kind, rest = MatchWildcard, suffix
	}
	if fault != nil && !fault.plain {
		return p, fault
	}
	if i := strings.IndexFunc(rest, isNotHostRune); i >= 0 && !strings.HasPrefix(rest, "[") {
		return p, &domainFault{code: &codeDomainNeverMatches, message: neverMatches(text, rest[i:])}
	}
	host, web := parseHost("https://" + rest)
	if !web {
		return p, unparsable(text, rest)
	}
	if p.kind == MatchWildcard && isAddress(host) {
		return p, &domainFault{code: &codeDomainNeverMatches, message: fmt.Sprintf("domain %q never matches: an address has no subdomains", text)}
	}
	p.host = host
	if fault != nil {
		return p, fault
	}
	return p, publicSuffix(p)
}

// domainFault is what is wrong with a domain.
type domainFault struct {
	code    *Code
	message string
	hint    string
	plain   bool // the meaning is plain all the same, so that it matches
}

// domainShape applies the format's own rules for a domain.
func domainShape(text string) *domainFault {
	invalid := &domainFault{code: &codeDomainInvalid, message: fmt.Sprintf("invalid domain %q", text)}
	switch {
	case text == "":
		return invalid
	case strings.Contains(text, "/"):
		invalid.message += ": a URL or path instead of a host name"
		if host := Hostname(text); host != "" {
			invalid.hint = fmt.Sprintf("write %q", host)
		}
		return invalid
	case strings.HasPrefix(text, "."):
		invalid.message += ": it starts with a dot"
		invalid.hint = fmt.Sprintf("write %q for the subdomains, and %q too when the site itself is meant", "*"+text, text[1:])
		return invalid
	case strings.Contains(text, "*") && !(strings.HasPrefix(text, "*.") && len(text) > 2 && strings.Count(text, "*") == 1):
		invalid.message += ": * stands only as the first label, once, as in *.example.com"
		return invalid
	case strings.HasSuffix(text, "."):
		invalid.plain = true
		invalid.message += ": it ends with a dot"
		invalid.hint = fmt.Sprintf("write %q", strings.TrimRight(text, "."))
		return invalid
	}
	return nil
}

// isNotHostRune knows what would end or split the host when the domain is read
// as part of a URL.
func isNotHostRune(r rune) bool {
	return r <= ' ' || r == 0x7f || strings.ContainsRune(`:@\?#%`, r)
}

func neverMatches(text, from string) string {
	why := fmt.Sprintf("%q cannot be part of a host name", from[:1])
	if from[0] == ':' {
		why = "hosts are compared without port"
	}
	return fmt.Sprintf("domain %q never matches: %s", text, why)
}

func unparsable(text, rest string) *domainFault {
	for _, r := range rest {
		if r > 0x7f {
			return &domainFault{code: &codeDomainIDN, message: fmt.Sprintf("domain %q is not a valid international domain name", text)}
		}
	}
	if strings.Contains(strings.ToLower(rest), "xn--") {
		return &domainFault{code: &codeDomainIDN, message: fmt.Sprintf("domain %q has a label that is not valid punycode", text)}
	}
	return &domainFault{code: &codeDomainNeverMatches, message: fmt.Sprintf("domain %q never matches: it is not a host name", text)}
}

func publicSuffix(p pattern) *domainFault {
	if p.kind != MatchWildcard {
		return nil
	}
	suffix, icann := publicsuffix.PublicSuffix(p.host)
	if !icann || suffix != p.host {
		return nil
	}
	return &domainFault{code: &codeDomainPublicSuffix, message: fmt.Sprintf("domain %q matches every site below the public suffix %s", p.text, p.host)}
}

// isAddress knows canonical hosts only: four numbers, or brackets.
func isAddress(host string) bool {
	if strings.HasPrefix(host, "[") {
		return true
	}
	last := host[strings.LastIndexByte(host, '.')+1:]
	n, rest := digits(last)
	return n > 0 && rest == ""
}

// matches compares with a canonical host.
func (p pattern) matches(host string) bool {
	if p.host == "" || host == "" {
		return false
	}
	if p.kind == MatchExact {
		return host == p.host
	}
	cut := len(host) - len(p.host) - 1
	return cut > 0 && host[cut] == '.' && host[cut+1:] == p.host
}
