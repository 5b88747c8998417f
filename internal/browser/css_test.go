package browser

import (
	"strings"
	"testing"
)

// shadowPage has two hosts of a component that holds another one.
const shadowPage = `<title>shadow</title><body><div id=outer><x-host id=h1 class=hc><i id=light class=lt>l</i></x-host></div><x-host id=h2></x-host><p id=after class=inner>out</p>
<script>
  const define = (name, markup) => customElements.define(name, class extends HTMLElement {
    constructor() { super(); this.attachShadow({mode: "open"}).innerHTML = markup; }
  });
  define("x-host", '<div class="wrap"><span class="inner">in</span><x-nest></x-nest><slot></slot></div><p class="sib">s</p>');
  define("x-nest", '<b class="leaf">leaf</b><button>Deep</button>');
  for (const h of document.querySelectorAll("x-host")) {
    const nest = h.shadowRoot.querySelector("x-nest");
    for (const [el, name] of [[h.shadowRoot.querySelector(".inner"), "inner"], [h.shadowRoot.querySelector(".wrap"), "wrap"], [h.shadowRoot.querySelector("p"), "p"],
      [nest, "nest"], [nest.shadowRoot.querySelector("b"), "leaf"], [nest.shadowRoot.querySelector("button"), "btn"]]) el.id = h.id + "-" + name;
  }
</script></body>`

func checkSelectors(t *testing.T, markup string, tests []struct{ selector, want string }) {
	t.Helper()
	page, ctx := newTestPage(t, html(markup))
	for _, tt := range tests {
		got := texts(t, ctx, page, tt.selector)
		if ok := got == tt.want || (strings.HasPrefix(tt.want, "error: ") && strings.Contains(got, strings.TrimPrefix(tt.want, "error: "))); !ok {
			t.Errorf("%s\n  got  %s\n  want %s", tt.selector, got, tt.want)
		}
	}
}

// TestCSSAcrossShadowRoots holds what Playwright finds on the same page.
func TestCSSAcrossShadowRoots(t *testing.T) {
	checkSelectors(t, shadowPage, []struct{ selector, want string }{
		{".inner", "after,h1-inner,h2-inner"},
		{"x-host .inner", "h1-inner,h2-inner"},
		{"#outer .leaf", "h1-leaf"},
		{".wrap .leaf", "h1-leaf,h2-leaf"},
		{"x-host > .wrap", "h1-wrap,h2-wrap"},
		{"x-host > .inner", ""},
		{".wrap > x-nest > .leaf", "h1-leaf,h2-leaf"},
		{".wrap + .sib", "h1-p,h2-p"},
		{".wrap ~ .sib", "h1-p,h2-p"},
		{"x-host + p", "after"},
		{"x-host > .lt", "light"},
		{".wrap .lt", ""},
		{"body > div > x-host > div > span", "h1-inner"},
		{":not(.wrap) > .inner", "after"},
		{"x-host:has(.leaf)", "h1,h2"},
		{"x-host:has(> .wrap)", "h1,h2"},
		{"x-host:not(:has(.leaf))", ""},
		{":is(x-host .inner)", "h1-inner,h2-inner"},
		{".inner:not(x-host .inner)", "after"},
		{":root .leaf", "h1-leaf,h2-leaf"},
		{".leaf, .inner", "h1-inner,h1-leaf,h2-inner,h2-leaf,after"},
		{"#outer .inner, #after", "h1-inner,after"},
		{`x-host[id="h1"] button`, "h1-btn"},
		{".lt, .inner", "light,h1-inner,h2-inner,after"},
		{"#outer:has(x-host:has(.leaf))", "outer"},
		{"x-host > .wrap /* a comment */ > span", "h1-inner,h2-inner"},
		{ScopeSelector("#h1", ".wrap .leaf"), "h1-leaf"},
		{ScopeSelector("#h1", "> .wrap"), "h1-wrap"},
		{ScopeSelector("#h1", ":scope > .wrap"), "h1-wrap"},
		{ScopeSelector("#h1", "x-host .inner"), ""},
		{ScopeSelector("#h1-wrap", ".lt"), ""},
		{FilterSelector("x-host", FilterOptions{HasText: &TextPattern{Text: "leaf"}}), "h1,h2"},
		{"loc=text:l", "light,h1-leaf,h2-leaf"},
		{"x-host >", "error: ends with >"},
		{"x-host > .wrap,", "error: empty part"},
		{"x-host (", "error: is not closed"},
	})
}

// Many ways to go up a deep page are no many questions.
func TestCSSInDeepPages(t *testing.T) {
	const deep = `<title>deep</title><body><div id=host></div><script>
host.attachShadow({ mode: "open" }).innerHTML = "<p></p>";
let at = document.body;
for (let i = 0; i < 80; i++) at = at.appendChild(document.createElement("div"));
at.innerHTML = "<b id=leaf>x</b>";
</script></body>`
	checkSelectors(t, deep, []struct{ selector, want string }{
		{strings.Repeat("div ", 12) + "b", "leaf"},
		{"section " + strings.Repeat("div ", 12) + "b", ""},
		{"b:not(section " + strings.Repeat("div ", 12) + "b)", "leaf"},
	})
}

const pseudoPage = `<title>pseudo</title><body><ul id=ul><li id=l1>Tea <b id=b1>x</b></li><li id=l2 style="display:none">tea hidden</li><li id=l3>Coffee</li></ul>
<div id=d1><div id=d2><span id=s>tea</span></div></div><p id=p1>Say "hi"</p><button id=bt>Go</button><button id=bt2 disabled>Go on</button>
<h2 id=h>t</h2><span id=sp style="opacity:0">u</span><div id=dc style="display:contents"><em id=em>in contents</em></div></body>`

// TestAddedPseudoClasses holds what Playwright finds on the same page, but that
// :has-text takes a text as it is written.
func TestAddedPseudoClasses(t *testing.T) {
	checkSelectors(t, pseudoPage, []struct{ selector, want string }{
		{"li:visible", "l1,l3"},
		{"li:not(:visible)", "l2"},
		{"#sp:visible, #dc:visible", "sp,dc"},
		{`li:has-text("TEA")`, ""},
		{`li:has-text("tea")`, "l2"},
		{`li:has-text("Tea")`, "l1"},
		{`li:has-text("Tea"):visible b`, "b1"},
		{`ul:has(li:has-text("Coffee"))`, "ul"},
		{`p, li:has-text("Coffee")`, "l3,p1"},
		{"div:has(div:has(span))", "d1"},
		{`p:has-text("\"hi\"")`, "p1"},
		{`:text("tea")`, "l1,l2,s"},
		{`:text-is("tea")`, "s"},
		{`:text-is("Tea")`, "l1"},
		{`:text-matches("^tea$", "i")`, "s"},
		{":nth-match(li:visible, 2)", "l3"},
		{":nth-match(li, 9)", ""},
		{`li:is(:has-text("Coffee"), :has-text("x"))`, "l1,l3"},
		{`button:has-text("Go"):not([disabled])`, "bt"},
		{`[id="l1"]:not(:has-text(":visible"))`, "l1"},
		{":nth-match(li)", "error: :nth-match needs"},
		{":has-text()", "error: :has-text needs"},
		{"li:near(b)", "error: :near is not supported"},
		{"li:right-of(b)", "error: :right-of is not supported"},
		{"li >> b", "error: >> is not supported"},
		{"role=button", "error: role= is not supported"},
		{"text=/^tea$/i", "s"},
		{ScopeSelector("#h", "+ span"), "sp"},
		{ScopeSelector("#h", ":scope"), "h"},
		{ScopeSelector("#h", "loc=text:t"), "h"},
		{ScopeSelector("#d1", "div span"), "s"},
		{ScopeSelector("#d2", "div span"), ""},
		{ScopeSelector("#d1", "#d1 span"), ""},
		{ScopeSelector("#d1", "xpath=//span"), "s"},
		{ScopeSelector("#s", ".."), "d2"},
		{FilterSelector("div", FilterOptions{Has: "> span"}), "d2"},
		{FilterSelector("li", FilterOptions{HasNotText: &TextPattern{Text: "Tea"}}), "l2,l3"},
	})
}

const textPage = `<title>texts</title><body><div id=a>Hello World</div><p id=br>Line<br>Break</p><p id=z>zero&#8203;width</p><div id=up style="text-transform:uppercase">upper</div>
<input id=i type=submit value="Send it"><div id=c>foo<div id=d>bar</div></div><img id=im alt="The logo"><div id=al alt="the div"></div><div id=pl placeholder="Your div"></div>
<p id=t1 data-testid=" sp ">x</p><span id=s1>by</span><span id=s2>span</span><input id=lb aria-labelledby="s1 s2"><label>Pass <input id=pw></label></body>`

func TestTextLocators(t *testing.T) {
	checkSelectors(t, textPage, []struct{ selector, want string }{
		{"loc=text:hello world", ""},
		{"loc=text:exact:hello world", ""},
		{"loc=text:exact:Hello World", "a"},
		{"loc=text:LineBreak", "br"},
		{"loc=text:Line Break", "br"},
		{"loc=text:zerowidth", "z"},
		{"loc=text:exact:UPPER", "up"},
		{"loc=text:Send it", "i"},
		{"loc=text:foobar", "c"},
		{"loc=text:foo bar", ""},
		{"loc=alt:The", "im"},
		{"loc=placeholder:Your", "pl"},
		{"loc=testid:sp", ""},
		{`loc=testid:" sp "`, "t1"},
		{"loc=label:exact:span", "lb"},
		{"loc=label:exact:by span", "lb"},
		{"loc=label:Pass", "pw"},
	})
}

const rolePage = `<title>roles</title><body><img id=im alt=A src="data:,"><input id=da type=date aria-label=Day><input id=te aria-label=Text><input id=nu type=number>
<video id=v controls></video><select id=se><option id=o1>1</option><option id=o2 hidden>2</option></select><table id=ta><tr id=tr><td id=td>x</td></tr></table>
<button id=ex aria-expanded=false>e</button><button id=pl>p</button><button id=ah aria-hidden=true>h</button><div inert><button id=in>i</button></div></body>`

// TestRolesOfTheTree: parts of controls are no elements of the page, and what Chrome
// calls by other names is found by those of ARIA.
func TestRolesOfTheTree(t *testing.T) {
	state := func(name, value string) string {
		return RoleSelector("button", RoleOptions{States: map[string]string{name: value}})
	}
	checkSelectors(t, rolePage, []struct{ selector, want string }{
		{"loc=role:img", "im"},
		{"loc=role:image", "im"},
		{"loc=role:textbox", "da,te"},
		{`loc=role:textbox[name="Day"]`, "da"},
		{"loc=role:spinbutton", "nu"},
		{"loc=role:slider", ""},
		{"loc=role:option", "o1"},
		{"loc=role:row", "tr"},
		{"loc=role:cell", "td"},
		{"loc=role:button", "ex,pl"},
		{state("expanded", "false"), "ex"},
		{state("pressed", "false"), "ex,pl"},
		{RoleSelector("button", RoleOptions{IncludeHidden: true}), "ex,pl,ah,in"},
		{RoleSelector("button", RoleOptions{IncludeHidden: true, Name: &TextPattern{Text: "h"}}), "ah"},
	})
}
