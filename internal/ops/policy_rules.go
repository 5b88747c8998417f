package ops

import (
	"fmt"
	"slices"
	"strings"

	"egod/internal/fetch"
	"egod/internal/policy"
)

// The rules that only a policy file makes.
const (
	ruleDenied  = "operation.denied"
	ruleBrowser = "browser.denied"
	ruleHosts   = "fetch.hosts"
	ruleTools   = "tool.denied"
)

// Of returns what code of a pack may do.
func (p Policy) Of(siteID string) Policy {
	if own, ok := p.Packs[siteID]; ok {
		return own
	}
	if own, ok := p.Packs[policy.EveryPack]; ok {
		return own
	}
	p.Packs = nil
	return p
}

// allow says how something is allowed that key in the policy file, or flag, stands
// for. A pack's own entry counts whatever the flags say.
func (p Policy) allow(e *Error, key, flag string) *Error {
	entry := p.From[key]
	switch {
	case p.File == "":
		return e.WithHint("start egod with %s", flag)
	case entry == "":
		return e.WithHint("start egod with %s, or say %s in the policy file %s", flag, key, p.File)
	}
	return e.With("policyFile", p.File).With("policyEntry", entry).
		WithHint("the policy file %s decides it in %s: change it there; %s has no effect on that pack", p.File, entry, flag)
}

// byFile is a denial that only the policy file makes.
func (p Policy) byFile(rule, key, change, format string, args ...any) *Error {
	entry := key
	if from := p.From[key]; from != "" {
		entry = from
	}
	return Errorf(KindPolicyDenied, "%s: policy file %s, rule %s", fmt.Sprintf(format, args...), p.File, entry).
		With("rule", rule).With("policyFile", p.File).With("policyEntry", entry).
		WithHint("%s in %s", fmt.Sprintf(change, entry), p.File)
}

// checkOperation refuses what the policy file denies.
func (p Policy) checkOperation(o *Operation) error {
	plain := strings.TrimPrefix(o.Name, "site.") // site.runTool is runTool for tools
	for _, pattern := range p.Deny {
		if policy.Matches(pattern, o.Name) || policy.Matches(pattern, plain) || o.shortFor != "" && policy.Matches(pattern, o.shortFor) {
			return p.byFile(ruleDenied, "deny", fmt.Sprintf("take %q out of %%s", pattern), "%s is refused", o.Name)
		}
	}
	if strings.HasPrefix(o.Name, "taskSpaces.") {
		return p.checkBrowser()
	}
	return nil
}

// checkBrowser refuses pages and task spaces.
func (p Policy) checkBrowser() error {
	if !p.NoBrowser {
		return nil
	}
	return p.byFile(ruleBrowser, "browser", "set %s to true", "the browser is refused")
}

// checkTool refuses a tool that the policy file does not list.
func (p Policy) checkTool(siteID, tool string) error {
	if p.Tools == nil || slices.ContainsFunc(p.Tools, func(pattern string) bool { return policy.Matches(pattern, tool) }) {
		return nil
	}
	return p.byFile(ruleTools, "tools", fmt.Sprintf("add %q to %%s", tool), "running %s.%s is refused", siteID, tool)
}

// checkHost refuses hosts that the policy file does not list.
func (p Policy) checkHost(host string) error {
	if p.FetchHosts == nil {
		return nil
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if slices.ContainsFunc(p.FetchHosts, func(pattern string) bool { return policy.MatchesHost(pattern, host) }) {
		return nil
	}
	return p.byFile(ruleHosts, "fetchHosts", fmt.Sprintf("add %q to %%s", host), "fetch.server of %s is refused", host)
}

// refusedAddress adds to a refusal of fetch.server how it is allowed.
func (p Policy) refusedAddress(e *Error, rule string) *Error {
	if rule != fetch.RulePrivate {
		return e.WithHint("fetch an http or https URL; no flag allows others")
	}
	return p.allow(e, "allowPrivateNet", "--allow-private-net")
}

// Operations are the names that a policy file may deny: the methods, and what is
// behind node:fs and the waits for events.
func (t *Table) Operations() []string {
	names := t.Names()
	for name := range t.inner {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
