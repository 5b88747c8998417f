package ops

import (
	"encoding/json"
	"regexp"
	"strings"

	"egod/internal/skills"
)

// Policy is what packs and callers may do beyond the default, which is to deny
// whatever a pack does not need (docs/policy.md).
type Policy struct {
	// AllowAnyOrigin lets a call with anyOrigin run a browser tool on a page
	// that its pack does not declare.
	AllowAnyOrigin bool
	// AllowFS are the directories that tools and scripts may name files in.
	AllowFS []AllowedDir
	// AllowPrivateNet lets fetch.server connect to addresses that are not public:
	// this machine's own and those of its networks.
	AllowPrivateNet bool

	// NoBrowser refuses pages and task spaces, Deny operations by name or pattern.
	NoBrowser bool
	Deny      []string
	// FetchHosts are the hosts that fetch.server may ask, Tools the tools of packs
	// that may be run; nil means all.
	FetchHosts, Tools []string

	// File is the policy file; empty when there is none. From has the member of it
	// that decides, such as "packs.x-com.deny", by the last part of that; nothing for
	// what no entry of a pack says.
	File string
	From map[string]string
	// Packs are the policies of packs that differ, by id, with "*" for all that are
	// not named.
	Packs map[string]Policy
}

var schemePattern = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)

// checkNavigation refuses schemes that reach beyond the web: files, browser
// pages, scripts and data. about:blank is always fine.
func (p Policy) checkNavigation(url string) error {
	plain := asParsed(url)
	scheme := strings.ToLower(strings.TrimSuffix(schemePattern.FindString(plain), ":"))
	switch {
	case scheme == "http", scheme == "https", scheme == "", strings.EqualFold(plain, "about:blank"):
		return nil
	}
	e := Errorf(KindPolicyDenied, "navigating to %.120q is refused: scheme %q is not http or https", url, scheme).
		With("rule", "navigation.scheme")
	if port := plain[len(scheme)+1:]; port != "" && port[0] >= '0' && port[0] <= '9' {
		return e.WithHint("write the scheme out: did you mean http://%s?", plain)
	}
	return e.WithHint("open an http or https URL; no flag allows %s:", scheme)
}

// checkCommand holds DevTools commands to the rules of the operations they could
// stand in for: a page is not led to a file, and a file is not handed to a page.
func (p Policy) checkCommand(method string, params json.RawMessage) error {
	if url, ok := commandAddress(method, params); ok {
		return p.checkNavigation(url)
	}
	switch method {
	case "Input.dispatchDragEvent": // may drop files of this machine on a page
		var data json.RawMessage
		var files []json.RawMessage
		if member(params, "data", &data) && member(data, "files", &files) && len(files) > 0 {
			return refuseCommand(method + " with files")
		}
	case "DOM.setFileInputFiles", "Page.setDownloadBehavior", "Browser.setDownloadBehavior", "Page.handleFileChooser",
		"Target.exposeDevToolsProtocol", "Target.attachToBrowserTarget", "Browser.close", "Browser.crash",
		"Extensions.loadUnpacked", "IO.read", "Storage.getCookies", "Network.loadNetworkResource":
		return refuseCommand(method)
	}
	domain, _, _ := strings.Cut(method, ".")
	if (domain == "Target" || domain == "Browser") && !browserCommands[method] {
		return refuseCommand(method)
	}
	return nil
}

// commandAddress is where a DevTools command leads a page, or a request of one.
func commandAddress(method string, params json.RawMessage) (url string, ok bool) {
	switch method {
	case "Page.navigate", "Target.createTarget", "Fetch.continueRequest", "Network.continueInterceptedRequest":
		ok = member(params, "url", &url)
	}
	return url, ok
}

// member reads one member of an object as Chrome does, by its exact name: that of a
// Go struct goes by any case, and a second member could hide the one that counts.
func member(object json.RawMessage, name string, into any) bool {
	var members map[string]json.RawMessage
	return json.Unmarshal(object, &members) == nil && members[name] != nil && json.Unmarshal(members[name], into) == nil
}

// browserCommands are the commands to the browser itself that stay within a task
// space. The last two are answered as by a browser that lacks them.
var browserCommands = map[string]bool{
	"Target.getTargets": true, "Target.getTargetInfo": true, "Target.createTarget": true, "Target.activateTarget": true,
	"Target.closeTarget": true, "Target.attachToTarget": true, "Target.detachFromTarget": true,
	"Browser.getVersion": true, "Browser.getWindowForTarget": true, "Browser.getWindowBounds": true, "Browser.setWindowBounds": true,
	"Browser.cancelDownload": true, "Browser.getHistogram": true, "Browser.getHistograms": true,
	"Browser.grantPermissions": true, "Browser.setPermission": true,
}

func refuseCommand(method string) error {
	return Errorf(KindPolicyDenied, "the DevTools command %s is refused: it reaches past the page", method).
		With("rule", "cdp.command").WithHint("use the operation made for it, such as locator.setInputFiles or page.waitForEvent")
}

// asParsed drops what a URL parser drops before it looks for the scheme:
// control characters and blanks around it, tabs and line ends anywhere
// (WHATWG URL, "basic URL parser"). A check of the raw text could be led past.
func asParsed(url string) string {
	url = strings.TrimFunc(url, func(r rune) bool { return r <= ' ' })
	return strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(url)
}

// checkOrigin lets a browser tool run only on the pages its pack declares.
func (p Policy) checkOrigin(pack *skills.Pack, tool, url string, anyOrigin bool) error {
	if anyOrigin {
		return nil // checked against AllowAnyOrigin before the run
	}
	if pack.DeclaresHost(skills.Hostname(url)) {
		return nil
	}
	return Errorf(KindPolicyDenied, "browser tool %s of %s may not run on %s: the pack declares %s",
		tool, pack.ID, url, strings.Join(pack.Domains, ", ")).
		With("rule", "browser-tool.origin").With("url", url).
		WithHint("open a page of the site first (browser.openOrReuseTab), or pass anyOrigin where it is allowed (--allow-any-origin)")
}

func (p Policy) checkAnyOrigin(anyOrigin bool) error {
	if !anyOrigin || p.AllowAnyOrigin {
		return nil
	}
	return p.allow(Errorf(KindPolicyDenied, "anyOrigin is refused: running browser tools on foreign pages is off").
		With("rule", "browser-tool.any-origin"), "allowAnyOrigin", "--allow-any-origin")
}
