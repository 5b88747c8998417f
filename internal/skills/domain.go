package skills

import "cmp"

// DomainFault says why a text is not a domain that a manifest should declare, and
// the next step. Both are empty for one that is fine.
func DomainFault(domain string) (message, hint string) {
	_, fault := parsePattern(domain)
	if fault == nil {
		return "", ""
	}
	return fault.message, cmp.Or(fault.hint, fault.code.Hint)
}
