// Runs in egod's isolated world of every document: it sees the page's DOM, but
// not what the page did to its built-ins. It finds the elements of a parsed
// selector (see query in selector.go) and reads them.
const EGOD_NAME = (() => {
  "use strict";
  const held = new Map(); // element sets that came from the accessibility tree or from refs
  let lastHeld = 0;

  class Problem extends Error {
    constructor(kind, message, n) { super(message); this.kind = kind; this.n = n || 0; }
    toString() { return JSON.stringify({ kind: this.kind, message: this.message, n: this.n }); }
  }

  const squeeze = (text) => text.replace(/[\u200b\u00ad]/g, "").replace(/\s+/g, " ").trim();
  const its = EGOD_NAMEits;

  // mute elements have text that is not for readers. The title of a drawing is.
  const skipped = new Set(["script", "style", "noscript", "template", "head"]);
  const mute = (el) => skipped.has(its(el).localName) || el instanceof HTMLTitleElement;

  // within reports containment across shadow roots; a document contains everything of its own.
  function within(root, el) {
    if (root === el) return false;
    for (let node = el; node; node = its(node).parentNode || its(node).host) if (node === root) return true;
    return false;
  }

  const unique = (list) => Array.from(new Set(list));

  // matcher compares as it is written; fold: in any case.
  function matcher(m, fold = false) {
    if (m.regex !== undefined) {
      const re = new RegExp(m.regex, (m.flags || "").replace(/[gy]/g, ""));
      return (text) => re.test(text);
    }
    const want = squeeze(m.text || "");
    if (m.exact) return (text) => squeeze(text) === want;
    if (!fold) return (text) => squeeze(text).includes(want);
    const lower = want.toLowerCase();
    return (text) => squeeze(text).toLowerCase().includes(lower);
  }

  // textOf is what an element says, scripts and styles left out, shadow content included.
  function textOf(el, cache, lineEnd = "") {
    const known = cache.get(el);
    if (known !== undefined) return known;
    let out = "";
    if (!mute(el)) {
      if (el instanceof HTMLInputElement && /^(button|submit|reset)$/.test(el.type)) out = el.value;
      for (const children of its(el).shadowRoot ? [its(el).childNodes, its(el).shadowRoot.childNodes] : [its(el).childNodes]) {
        for (const child of children) {
          if (its(child).nodeType === 3) out += its(child).nodeValue;
          else if (its(child).nodeType === 1) out += child instanceof HTMLBRElement ? lineEnd : textOf(child, cache, lineEnd);
        }
      }
    }
    cache.set(el, out);
    return out;
  }

  // shown is the text as it is rendered, with text-transform applied.
  const shown = (el) => (el instanceof HTMLElement && its(el).checkVisibility() ? its(el).innerText : "");

  // deeper lists the children of an element, and those in its shadow root.
  const deeper = (el) => (its(el).shadowRoot ? Array.from(its(el).children).concat(Array.from(its(el).shadowRoot.children)) : Array.from(its(el).children));

  function byText(root, m) {
    const matches = matcher(m);
    const cache = new Map();
    const lines = its(root).querySelector("br") && new Map(); // the same with line ends
    const lower = m.regex === undefined ? squeeze(m.text || "").toLowerCase() : null;
    const hit = (el) => {
      const text = textOf(el, cache);
      if (matches(text) || (lines && matches(textOf(el, lines, "\n")))) return true;
      // As it is rendered it may be written so.
      return lower !== null && squeeze(text).toLowerCase().includes(lower) && matches(shown(el));
    };
    const start = its(root).nodeType === 9 ? root.body || root.documentElement : root;
    const out = [];
    const partial = lower !== null && !m.exact; // then what an element says holds what its children say
    const visit = (el) => {
      if (mute(el)) return false;
      const here = hit(el);
      if (!here && partial) return false;
      let inside = false;
      for (const child of deeper(el)) inside = visit(child) || inside;
      if (here && !inside) out.push(el);
      return here || inside;
    };
    if (start) visit(start);
    return out;
  }

  const labelable = "input,textarea,select,button,meter,output,progress";

  // boxOf is the first box of a text.
  function boxOf(text) {
    const range = document.createRange();
    range.selectNode(text);
    return Array.from(range.getClientRects()).find((box) => box.width > 0 && box.height > 0) || null;
  }

  // boxesOf lists the boxes of an element; those of what is in it when it has none.
  function boxesOf(el) {
    if (getComputedStyle(el).display !== "contents") return Array.from(its(el).getClientRects());
    return Array.from(its(el).childNodes).flatMap((child) => (its(child).nodeType === 1 ? boxesOf(child) : (its(child).nodeType === 3 && boxOf(child)) || []));
  }

  // visible means that there is something to see, if only by who could see through all.
  // An element without a box of its own is as visible as what is in it.
  const visible = (el) => {
    if (getComputedStyle(el).display === "contents") return Array.from(its(el).childNodes).some((child) => (its(child).nodeType === 3 ? boxOf(child) !== null : its(child).nodeType === 1 && visible(child)));
    if (!its(el).checkVisibility({ visibilityProperty: true })) return false;
    const box = its(el).getBoundingClientRect();
    return box.width > 0 && box.height > 0;
  };

  // seen is what reads and waits call visible: there, and not see-through.
  const seen = (el) => {
    let boxed = el;
    while (its(boxed).parentElement && getComputedStyle(boxed).display === "contents") boxed = its(boxed).parentElement;
    return visible(el) && its(boxed).checkVisibility({ opacityProperty: true, contentVisibilityAuto: true });
  };
  const { all, compare } = EGOD_NAMEcss({ Problem, textOf, matcher, visible, squeeze, deeper, mute });

  function byLabel(root, m) {
    const matches = matcher(m);
    const cache = new Map();
    const out = [];
    for (const label of all(root, "label")) if (label.control && matches(textOf(label, cache))) out.push(label.control);
    for (const el of all(root, labelable + ",[role],[contenteditable],[aria-label],[aria-labelledby]")) {
      if (labelledBy(el, matches, cache)) out.push(el);
    }
    return inOrder(unique(out));
  }

  function labelledBy(el, matches, cache) {
    const own = its(el).getAttribute("aria-label");
    if (own !== null && matches(own)) return true;
    const ids = its(el).getAttribute("aria-labelledby");
    if (ids === null) return false;
    const scope = its(el).getRootNode();
    const texts = ids.split(/\s+/).map((id) => scope.getElementById(id)).filter(Boolean).map((l) => textOf(l, cache));
    return texts.some(matches) || matches(texts.join(" "));
  }

  const inOrder = (list) => list.sort(compare);

  function byAttribute(root, css, attribute, m) {
    const matches = matcher(m);
    return all(root, css).filter((el) => matches(its(el).getAttribute(attribute)));
  }

  // byTestID compares as it is written.
  function byTestID(root, m) {
    const matches = m.regex === undefined ? (id) => id === m.text : matcher(m);
    return all(root, "[data-testid]").filter((el) => matches(its(el).getAttribute("data-testid")));
  }

  function byHref(root, want) {
    return all(root, "a[href]").filter((a) => {
      if (a.href === want) return true;
      const url = URL.parse(a.href, document.baseURI);
      return url !== null && url.pathname + url.search + url.hash === want;
    });
  }

  function byXPath(root, path) {
    const doc = its(root).nodeType === 9 ? root : its(root).ownerDocument;
    const inside = root !== doc && path.startsWith("/") ? "." + path : path; // below the root, not from the document's
    const found = doc.evaluate(inside, root, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
    const out = [];
    for (let i = 0; i < found.snapshotLength; i++) {
      const node = found.snapshotItem(i);
      if (its(node).nodeType === 1) out.push(node);
    }
    return out;
  }

  function byHeld(root, q) {
    const set = held.get(q.held);
    if (!set) throw new Problem("stale", "the elements are no longer known");
    const list = set.filter((el) => its(el).isConnected && (its(root).nodeType === 9 || within(root, el)));
    if (q.hidden) return inOrder(unique(list.concat(byHiddenRole(root, q.hidden))));
    return q.sort ? inOrder(list) : list;
  }

  const implicitRoles = {
    button: "button,input[type=button],input[type=submit],input[type=reset],input[type=image],summary", link: "a[href],area[href]",
    checkbox: "input[type=checkbox]", radio: "input[type=radio]", heading: "h1,h2,h3,h4,h5,h6", listitem: "li", list: "ul,ol",
    img: "img", combobox: "select:not([multiple]):not([size])", listbox: "select[multiple],select[size]", option: "option",
    textbox: "input:not([type]),input[type=text],input[type=email],input[type=tel],input[type=url],textarea", searchbox: "input[type=search]",
    row: "tr", cell: "td", table: "table", navigation: "nav", main: "main", article: "article", dialog: "dialog", form: "form",
  };

  const leftOut = (el) => !its(el).checkVisibility({ visibilityProperty: true }) || its(el).closest("[aria-hidden=true],[inert]") !== null;

  // byHiddenRole finds what the accessibility tree leaves out: what is not rendered, not for it, or inert.
  function byHiddenRole(root, hidden) {
    const role = hidden.role;
    const css = `[role="${CSS.escape(role)}"]` + (implicitRoles[role] ? "," + implicitRoles[role] : "");
    const cache = new Map();
    const matches = hidden.match ? matcher(hidden.match) : () => true;
    return all(root, css).filter((el) => (its(el).getAttribute("role") || role) === role && leftOut(el) &&
      matches(its(el).getAttribute("aria-label") || textOf(el, cache) || its(el).getAttribute("alt") || its(el).getAttribute("value") || ""));
  }

  function filtered(root, q) {
    const cache = new Map();
    const test = (m) => { const matches = matcher(m); return (el) => matches(textOf(el, cache)); };
    let list = find(root, q.base);
    if (q.hasText) list = list.filter(test(q.hasText));
    if (q.hasNotText) { const t = test(q.hasNotText); list = list.filter((el) => !t(el)); }
    if (q.has) list = list.filter((el) => find(el, q.has).length > 0);
    if (q.hasNot) list = list.filter((el) => find(el, q.hasNot).length === 0);
    return list;
  }

  const kinds = {
    css: (root, q) => all(root, q.value),
    xpath: (root, q) => byXPath(root, q.value),
    href: (root, q) => byHref(root, q.value),
    text: (root, q) => byText(root, q.match),
    label: (root, q) => byLabel(root, q.match),
    placeholder: (root, q) => byAttribute(root, "[placeholder]", "placeholder", q.match),
    alt: (root, q) => byAttribute(root, "[alt]", "alt", q.match),
    title: (root, q) => byAttribute(root, "[title]", "title", q.match),
    testid: (root, q) => byTestID(root, q.match),
    held: byHeld,
    nth: (root, q) => find(root, q.base).slice(q.index || 0, (q.index || 0) + 1),
    last: (root, q) => find(root, q.base).slice(-1),
    scope: (root, q) => unique(find(root, q.base).flatMap((el) => find(el, q.child))),
    filter: filtered,
  };

  function find(root, q) {
    try {
      return kinds[q.kind](root, q);
    } catch (e) {
      if (e instanceof Problem) throw e;
      throw new Problem("invalid", e instanceof Error ? e.message : String(e));
    }
  }

  const several = (list) => new Problem("many", list.slice(0, 3).map(describe).join(", ") + (list.length > 3 ? ", ..." : ""), list.length);

  // one returns the single element of a query, as strictness demands.
  function one(q) {
    const list = find(document, q);
    if (list.length === 0) throw new Problem("none", "no element");
    if (list.length > 1) throw several(list);
    return list[0];
  }

  // answer makes the JSON text of a result, or of what kept us from one.
  async function answer(fn) {
    try {
      return JSON.stringify({ value: await fn() });
    } catch (e) {
      return JSON.stringify({ problem: e instanceof Problem ? { kind: e.kind, message: e.message, n: e.n } : { kind: "failed", message: String(e) } });
    }
  }

  const describe = (el) => {
    let out = "<" + its(el).localName;
    for (const name of ["id", "class", "type", "name", "role"]) {
      const value = its(el).getAttribute(name);
      if (value) out += ` ${name}="${value.length > 40 ? value.slice(0, 40) + "..." : value}"`;
    }
    return out + ">";
  };
  const wrong = (el, wanted) => { throw new Problem("wrong", `${describe(el)} is not ${wanted}`); };

  // labelled goes from a label to the control it is for.
  const labelled = (el) => (el instanceof HTMLLabelElement && el.control) || el;

  const isControl = (el) => el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement || el instanceof HTMLSelectElement;

  const read = {
    innerText: (el) => (el instanceof HTMLElement ? its(el).innerText : wrong(el, "an HTML element")),
    inputValue(el) {
      const control = labelled(el);
      return isControl(control) ? control.value : wrong(el, "an input, textarea or select");
    },
    checkable: (el) => el instanceof HTMLInputElement && (el.type === "checkbox" || el.type === "radio"),
    checkRole: (el) => /^\s*(checkbox|radio|switch|menuitemcheckbox|menuitemradio|option|treeitem)\b/i.test(its(el).getAttribute("role") || ""),
    checked(el) {
      const control = labelled(el);
      if (read.checkable(control)) return control.checked;
      const aria = its(control).getAttribute("aria-checked");
      return aria !== null || read.checkRole(control) ? aria === "true" : wrong(el, "a checkbox or radio button");
    },
    box(el) {
      const { x, y, width, height } = its(el).getBoundingClientRect();
      return its(el).getClientRects().length > 0 ? { x, y, width, height } : null;
    },
    enabled(el) {
      const control = labelled(el);
      if (its(control).matches(":disabled")) return false;
      for (let node = control; node; node = its(node).parentElement || (its(node).getRootNode() || {}).host) {
        if (its(node).getAttribute("aria-disabled") === "true") return false;
      }
      return true;
    },
    editable(el) {
      const control = labelled(el);
      if (its(control).isContentEditable) return its(control).closest("[aria-readonly=true]") === null && read.enabled(control);
      return isControl(control) && !control.readOnly && read.enabled(control);
    },
    takesText: (el) => its(el).isContentEditable || el instanceof HTMLTextAreaElement || (el instanceof HTMLInputElement && !notText.has(el.type)),
  };
  const notText = new Set(["button", "submit", "reset", "image", "checkbox", "radio", "file", "hidden"]);

  // reachable tells elements of pages from the parts that controls are made of, and
  // leaves out options that no list shows.
  const mayHost = /-|^(article|aside|blockquote|body|div|footer|h[1-6]|header|main|nav|p|section|span)$/;
  function reachable(el) {
    const root = its(el).getRootNode();
    if (root instanceof ShadowRoot && !mayHost.test(its(root).host.localName)) return false;
    return !(el instanceof HTMLOptionElement) || getComputedStyle(el).display !== "none";
  }

  // ask answers a question about one element; without the element it is false.
  function ask(q, question) {
    const list = find(document, q);
    if (list.length > 1) throw several(list);
    return list.length === 1 && question(list[0]);
  }

  // state is what a wait for a selector looks at.
  function state(q) {
    const list = find(document, q);
    if (list.length > 1) throw several(list);
    return { n: list.length, visible: list.length === 1 && seen(list[0]) };
  }

  // The main world asks through events, which cross the worlds; the names are
  // unguessable. Elements go back as the targets of events of their own. The window
  // listens because a document may be replaced in it (javascript: addresses).
  const answerMain = (e) => {
    let problem = "";
    try {
      const { query, single } = JSON.parse(e.detail);
      const list = single ? [one(query)] : find(document, query);
      for (const el of list) its(el).dispatchEvent(new CustomEvent("EGOD_NAME-push", { composed: true }));
    } catch (failure) {
      problem = failure instanceof Problem ? failure.toString() : JSON.stringify({ kind: "failed", message: String(failure) });
    }
    dispatchEvent(new CustomEvent("EGOD_NAME-done", { detail: problem }));
    e.stopImmediatePropagation();
  };
  const listen = () => addEventListener("EGOD_NAME-query", answerMain, true); // anew after document.open
  listen();

  return Object.freeze({
    Problem, find, one, its, listen, answer, visible, seen, boxesOf, state, read, ask, describe, labelled,
    hold(elements, parts) {
      const list = elements.filter((el) => el && its(el).nodeType === 1 && (parts || reachable(el)));
      held.set(++lastHeld, list);
      return { key: lastHeld, alive: list.filter((el) => its(el).isConnected).length };
    },
    drop(key) { held.delete(key); },
    matching(m, texts) {
      try { return texts.map(matcher(m)); } catch (e) { throw new Problem("invalid", e.message); }
    },
    count: (q) => find(document, q).length,
  });
})();
