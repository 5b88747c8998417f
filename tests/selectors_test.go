package tests

import "testing"

// TestForeignSelectorsFail: what the check of tools says is not supported in
// selectors fails in the browser too, and what it leaves alone works.
func TestForeignSelectorsFail(t *testing.T) {
	d, _ := startShop(t)
	d.result("page.goto", object{"url": "https://shop.test/"}, nil)
	for _, selector := range []string{
		"a:hidden", "a:contains('x')", "a:eq(0)", "a:first", "a:last", "a:right-of(b)", "a:left-of(b)", "a:above(b)", "a:below(b)", "a:near(b)",
		"ul >> li", "css=a", "id=buy", "role=button", "data-testid=x", "nth=0", "visible=true", "_react=A", "aria=x", "pierce=a",
	} {
		if a := d.call("locator.count", object{"selector": selector}); a.Error == nil {
			t.Errorf("%s works: %s", selector, a.raw)
		}
	}
	for _, selector := range []string{
		"a:first-of-type", "label:first-child", "//a[contains(@href, '>>')]", "xpath=//a", "text=:visible", "li:has-text('tea')",
		"a:visible", "a:text('x')", "a:text-is('x')", ":nth-match(a, 1)", "a:text-matches('x')", "li:has-text('tea') > a", `[title=":visible"]`, "a:not(:visited)",
	} {
		if a := d.call("locator.count", object{"selector": selector}); a.Error != nil {
			t.Errorf("%s: %s", selector, a.raw)
		}
	}
}
