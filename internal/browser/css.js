// Finds elements by CSS across open shadow roots: a shadow root counts as the child
// of its host, as in Playwright. It adds :has-text, :text, :text-is, :text-matches,
// :visible and :nth-match to what the browser knows.
const EGOD_NAMEcss = (tools) => {
  "use strict";
  const { Problem, textOf, matcher, visible, squeeze, deeper, mute } = tools; // of the query script
  const its = EGOD_NAMEits;
  const own = /:(has-text|text|text-is|text-matches|visible|nth-match)\b(?!-)/i;
  const nested = /:(is|not|where|has|scope)\b/i;
  const listed = new Set(["is", "not", "where", "has", "nth-match"]);
  const known = new Set([...listed, "has-text", "text", "text-is", "text-matches"]);
  const parsed = new Map(); // by the text of the selector

  const invalid = (message) => { throw new Problem("invalid", message); };

  // closing is the index after a quoted or bracketed part that begins at i.
  function closing(text, i) {
    const close = { "(": ")", "[": "]" }[text[i]];
    if (close === undefined) { // a string
      for (let j = i + 1; j < text.length; j++) {
        if (text[j] === "\\") j++;
        else if (text[j] === text[i]) return j + 1;
      }
      return invalid(`${text.slice(i)} is not closed`);
    }
    for (let j = i + 1; j < text.length;) {
      if (text[j] === close) return j + 1;
      if (text[j] === "\\") j += 2;
      else if (/["'([]/.test(text[j])) j = closing(text, j);
      else j++;
    }
    return invalid(`${text.slice(i)} is not closed`);
  }

  // split cuts a text at commas outside of strings and brackets.
  function split(text) {
    const parts = [];
    let from = 0;
    for (let i = 0; i < text.length;) {
      if (text[i] === "\\") i += 2;
      else if (/["'([]/.test(text[i])) i = closing(text, i);
      else if (text[i++] === ",") { parts.push(text.slice(from, i - 1)); from = i; }
    }
    parts.push(text.slice(from));
    return parts.map((part) => part.trim());
  }

  const bare = (css) => css.replace(/("(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*')|\/\*[^]*?\*\//g, (_, text) => text || " ");
  const unquote = (text) => (/^(["']).*\1$/s.test(text) ? text.slice(1, -1).replace(/\\([0-9a-f]{1,6})\s?|\\([^])/gi, (_, hex, char) => (hex ? String.fromCodePoint(parseInt(hex, 16)) : char)) : text);

  // parse makes of "a > b, c" the list [[{css, tests, join: ">"}, ...], ...], each with its text. The css of a
  // compound is the browser's to judge, its tests are ours. join is what stands before it.
  function parse(css) {
    let list = parsed.get(css);
    if (!list) {
      list = split(bare(css)).map((text) => (text === "" ? invalid(`${css} has an empty part`) : Object.assign(complex(text), { text })));
      if (parsed.size > 200) parsed.clear();
      parsed.set(css, list);
    }
    return list;
  }

  function complex(text) {
    const compounds = [];
    let join = "", at = 0;
    while (at < text.length) {
      const space = /^\s*([>+~]?)\s*/.exec(text.slice(at));
      at += space[0].length;
      if (space[1] && join) invalid(`${join} ${space[1]} has nothing between`);
      join = space[1] || (compounds.length ? " " : "");
      if (at >= text.length) return space[1] ? invalid(`${text} ends with ${space[1]}`) : compounds;
      const end = compound(text, at);
      if (end === at) invalid(`unexpected ${text[at]}`);
      if (join && compounds.length === 0) compounds.push({ css: "", tests: [], scope: true, join: "" });
      compounds.push({ ...simple(text.slice(at, end)), join });
      at = end;
      join = "";
    }
    return compounds;
  }

  function compound(text, i) {
    while (i < text.length && !/[\s>+~]/.test(text[i])) {
      if (text[i] === "\\") i += 2;
      else if (/["'([]/.test(text[i])) i = closing(text, i);
      else i++;
    }
    return Math.min(i, text.length);
  }

  // simple parts a compound selector into what is native and what is tested here.
  function simple(text) {
    const out = { css: "", tests: [], scope: false };
    for (let i = 0; i < text.length;) {
      let end = i + 1;
      if (text[i] === "\\") end = i + 2;
      else if (/["'([]/.test(text[i])) end = closing(text, i);
      const pseudo = text[i] === ":" && /^:([a-z-]+)(\()?/i.exec(text.slice(i));
      if (pseudo) {
        const name = pseudo[1].toLowerCase();
        end = i + pseudo[0].length;
        if (pseudo[2]) end = closing(text, end - 1);
        const inner = pseudo[2] ? text.slice(i + pseudo[0].length, end - 1).trim() : null;
        if (name === "scope" && inner === null) out.scope = true;
        else if (name === "visible" && inner === null) out.tests.push({ name });
        else if (known.has(name)) out.tests.push(test(name, inner));
        else out.css += text.slice(i, end);
      } else {
        out.css += text.slice(i, end);
      }
      i = end;
    }
    return out;
  }

  function test(name, inner) {
    if (inner === null || inner === "") invalid(`:${name} needs something in brackets`);
    const parts = split(inner);
    if (name === "nth-match") {
      const n = Number(parts.pop());
      if (!Number.isInteger(n) || n < 1 || parts.length === 0) invalid(":nth-match needs a selector and a number from 1");
      return { name, n, list: parse(parts.join(",")) };
    }
    if (listed.has(name)) return { name, list: parse(inner) };
    const text = unquote(parts[0]);
    if (name === "text-matches") return { name, match: matcher({ regex: text, flags: unquote(parts[1] || "") }) };
    return { name, text: squeeze(text), match: matcher({ text }, name === "text") };
  }

  const rootHost = (node) => { const root = its(node).getRootNode(); return root instanceof ShadowRoot ? its(root).host : null; };
  const parentOf = (node) => its(node).parentElement || rootHost(node);

  // run is one question: the scope, and what was found out on the way.
  function run(scope, texts, memo) {
    const isScope = (el) => el === scope || (its(scope).nodeType === 9 && el === scope.documentElement);
    const say = (el) => textOf(el, texts);
    const immediate = (el) => {
      const runs = [""];
      for (const child of its(el).childNodes) {
        if (its(child).nodeType === 3) runs[runs.length - 1] += its(child).nodeValue;
        else if (its(child).nodeType === 1) runs.push("");
      }
      return runs.map(squeeze);
    };
    const speaks = (el) => !mute(el);
    const smallest = (el, match) => speaks(el) && match(say(el)) && !deeper(el).some((child) => speaks(child) && match(say(child)));
    const passes = {
      visible: (el) => visible(el),
      is: (el, t) => any(el, t.list),
      where: (el, t) => any(el, t.list),
      not: (el, t) => !any(el, t.list),
      has: (el, t) => query(el, t.list, texts).length > 0,
      "has-text": (el, t) => speaks(el) && t.match(say(el)),
      text: (el, t) => smallest(el, t.match),
      "text-matches": (el, t) => smallest(el, t.match),
      "text-is": (el, t) => speaks(el) && (el instanceof HTMLInputElement && /^(button|submit|reset)$/.test(el.type) ? squeeze(el.value) === t.text : immediate(el).includes(t.text)),
      "nth-match": (el, t) => {
        if (!memo.has(t)) memo.set(t, query(scope, t.list, texts)[t.n - 1]);
        return memo.get(t) === el;
      },
    };
    const any = (el, list) => list.some((compounds) => fits(el, compounds, compounds.length - 1));

    function fitsOne(el, c) {
      if (c.scope ? !isScope(el) : el === scope && !c.tests.some((t) => t.name === "is")) return false;
      return (c.css === "" || its(el).matches(c.css)) && c.tests.every((t) => passes[t.name](el, t));
    }

    // fits matches a complex selector from its end. What is found out about elements
    // on the way is kept: each is asked once for each compound, however deep they lie.
    const answered = new Map();
    function fits(el, compounds, i) {
      if (i === compounds.length - 1) return matches(el, compounds, i);
      let answers = answered.get(compounds[i]);
      if (!answers) answered.set(compounds[i], answers = new Map());
      let answer = answers.get(el);
      if (answer === undefined) answers.set(el, answer = matches(el, compounds, i));
      return answer;
    }

    function matches(el, compounds, i) {
      if (!fitsOne(el, compounds[i])) return false;
      if (i === 0) return true;
      const up = (node) => (node === scope ? null : parentOf(node));
      switch (compounds[i].join) {
        case ">": { const parent = up(el); return parent !== null && fits(parent, compounds, i - 1); }
        case "+": return its(el).previousElementSibling !== null && fits(its(el).previousElementSibling, compounds, i - 1);
        case "~":
          for (let before = its(el).previousElementSibling; before; before = its(before).previousElementSibling) if (fits(before, compounds, i - 1)) return true;
          return false;
      }
      for (let parent = up(el); parent; parent = up(parent)) if (fits(parent, compounds, i - 1)) return true;
      return false;
    }
    return fits;
  }

  // trees lists a root and the open shadow roots below it, each before those inside of it.
  function trees(root, out = []) {
    out.push(root);
    if (its(root).shadowRoot) trees(its(root).shadowRoot, out);
    for (const el of its(root).querySelectorAll("*")) if (its(el).shadowRoot) trees(its(el).shadowRoot, out);
    return out;
  }

  // path lists an element and all that it is in, outermost first.
  function path(el) {
    const out = [];
    for (let node = el; node; node = its(node).parentNode || its(node).host) out.unshift(node);
    return out;
  }

  // compare orders as Playwright does: what is in a shadow root after the host's children.
  function compare(a, b) {
    if (a === b) return 0;
    if (its(a).getRootNode() === its(b).getRootNode()) return its(a).compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
    const one = path(a), two = path(b);
    let i = 0;
    while (i < one.length && i < two.length && one[i] === two[i]) i++;
    if (i === one.length || i === two.length) return one.length - two.length;
    if (one[i] instanceof ShadowRoot || two[i] instanceof ShadowRoot) return one[i] instanceof ShadowRoot ? 1 : -1;
    return one[i].compareDocumentPosition(two[i]) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1;
  }

  function query(scope, list, texts) {
    const memo = new Map();
    const fits = run(scope, texts, memo);
    const found = new Set();
    for (const compounds of list) {
      const last = compounds[compounds.length - 1];
      const beside = compounds.some((c, i) => i > 0 && compounds[i - 1].scope && /[+~]/.test(c.join));
      const start = (beside && its(scope).nodeType === 1 && (its(scope).parentNode || rootHost(scope))) || scope;
      if (last.scope && its(scope).nodeType === 1 && fits(scope, compounds, compounds.length - 1)) found.add(scope);
      for (const tree of trees(start)) {
        for (const el of its(tree).querySelectorAll(last.css || "*")) if (fits(el, compounds, compounds.length - 1)) found.add(el);
      }
    }
    const out = Array.from(found);
    return list.length > 1 ? out.sort(compare) : out;
  }

  // plain reports whether every part of a selector is a single compound.
  const plain = (list) => list.every((compounds) => compounds.length === 1);

  // all finds a selector in a root. The browser does what it can do alone.
  function all(root, css) {
    if (own.test(css) || nested.test(css)) return slow(root, css);
    if (/^[\w-]+$|^[.#][\w-]+$/.test(css)) return everywhere(trees(root), css);
    const list = parse(css);
    if (plain(list) && !list.some(([c]) => c.scope)) {
      const found = everywhere(trees(root), css);
      return list.length > 1 && found.length > 1 && found.some((el) => its(el).getRootNode() !== its(found[0]).getRootNode()) ? found.sort(compare) : found;
    }
    if (trees(root).length > 1) return slow(root, css);
    if (its(root).nodeType === 9) return Array.from(its(root).querySelectorAll(css));
    if (!list.every((compounds) => !compounds[0].scope || /^>/.test(compounds.text))) return slow(root, css);
    return Array.from(its(root).querySelectorAll(list.map((compounds) => ":scope " + compounds.text).join(","))); // all of it below the root
  }

  const everywhere = (list, css) => (list.length === 1 ? Array.from(its(list[0]).querySelectorAll(css)) : list.flatMap((tree) => Array.from(its(tree).querySelectorAll(css))));

  function slow(root, css) {
    if (its(root).nodeType === 9 && !own.test(css) && !/:has\(.*:has\(/is.test(css) && trees(root).length === 1) return Array.from(its(root).querySelectorAll(css)); // browsers refuse :has in :has
    return query(root, parse(css), new Map());
  }

  return Object.freeze({ all, trees, compare });
};
