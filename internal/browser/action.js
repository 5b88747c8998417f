// Runs beside the query script: makes one element ready for an action and says
// where to aim, or what is in the way.
const EGOD_NAMEact = (() => {
  "use strict";
  const { Problem, one, its, visible, describe, read, labelled, boxesOf } = EGOD_NAME;

  // A wait is a problem that time may solve.
  const wait = (message) => { throw new Problem("wait", message); };
  const never = (message) => { throw new Problem("wrong", message); };

  // nextFrame also ends in a tab that draws no frames; a busy machine may need long for one.
  const nextFrame = () => new Promise((done) => {
    const timer = setTimeout(done, document.visibilityState === "visible" ? 500 : 40);
    requestAnimationFrame(() => { clearTimeout(timer); done(); });
  });

  const hostOf = (node) => { const root = its(node).getRootNode(); return root instanceof ShadowRoot ? its(root).host : null; };
  const parentOf = (node) => its(node).parentElement || hostOf(node);

  // topmost is the element that a click at the point meets, inside shadow roots too:
  // the open ones, and those around target.
  function topmost(x, y, target) {
    const around = new Map();
    for (let root = its(target).getRootNode(); root instanceof ShadowRoot; root = its(root).host.getRootNode()) around.set(its(root).host, root);
    let hit = null;
    for (let root = document; root;) {
      const el = root.elementFromPoint(x, y);
      if (!el || el === hit) break;
      hit = el;
      root = its(el).shadowRoot || around.get(el);
    }
    return hit;
  }

  // meets reports whether a click on hit reaches el: itself, its content, or its label.
  function meets(el, hit) {
    for (let node = hit; node; node = parentOf(node)) {
      if (node === el) return true;
      if (node instanceof HTMLLabelElement && node.control === el) return true;
    }
    return false;
  }

  // subject is the element an action is for; a checkbox that is drawn by its label is clicked there.
  function subject(q, o) {
    let el = one(q);
    if (o.control) el = labelled(el);
    if (o.throughLabel && (o.attempt % 2 === 1 || !visible(el))) for (const label of its(el).labels || []) if (visible(label)) return label;
    return el;
  }

  function check(el, o) {
    if (!visible(el)) wait(`${describe(el)} is not visible`);
    if (o.enabled && !read.enabled(el)) wait(`${describe(el)} is disabled`);
    if (!o.editable) return;
    if (!read.takesText(el)) {
      if (!(el instanceof HTMLInputElement)) never(`${describe(el)} is not an input, textarea or contenteditable element`);
      never(`${describe(el)} takes no text`);
    }
    if (!read.editable(el)) wait(`${describe(el)} is ${read.enabled(el) ? "read-only" : "disabled"}`);
  }

  // stable compares two frames; the first wait may end in the frame that is under way.
  async function stable(el) {
    await nextFrame();
    const before = its(el).getBoundingClientRect();
    await nextFrame();
    const after = its(el).getBoundingClientRect();
    if (!its(el).isConnected) wait(`${describe(el)} was removed`);
    if (before.x !== after.x || before.y !== after.y || before.width !== after.width || before.height !== after.height) {
      wait(`${describe(el)} is moving`);
    }
  }

  // aim is the point of an element to act on: the middle of its first box, or an offset from its corner.
  function aim(el, position) {
    if (position) {
      const box = its(el).getBoundingClientRect();
      return { x: box.x + position.x, y: box.y + position.y };
    }
    for (const box of boxesOf(el)) {
      if (box.width > 0 && box.height > 0) {
        const left = Math.max(box.left, 0), right = Math.min(box.right, innerWidth);
        const top = Math.max(box.top, 0), bottom = Math.min(box.bottom, innerHeight);
        const seen = right > left && bottom > top;
        return seen ? { x: (left + right) / 2, y: (top + bottom) / 2 } : { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
      }
    }
    return wait(`${describe(el)} has no box`);
  }

  // boxed is the element itself, or what of it has a box to scroll to.
  const boxed = (el) => (getComputedStyle(el).display === "contents" ? Array.from(its(el).children, boxed).find((child) => its(child).getClientRects().length > 0) || its(el).parentElement || el : el);

  // barred says why the point of an element does not meet it.
  function barred(el, hit, x, y) {
    if (getComputedStyle(el).pointerEvents === "none") return `${describe(el)} takes no clicks (pointer-events: none)`;
    if (its(el).closest("[inert]")) return `${describe(el)} is inert`;
    return `${hit ? describe(hit) : "nothing"} covers the point ${Math.round(x)},${Math.round(y)} of ${describe(el)}`;
  }

  const inView = (p) => p.x >= 0 && p.y >= 0 && p.x < innerWidth && p.y < innerHeight;
  const alignments = ["center", "end", "start", "nearest"];

  // point waits until the element may be acted on and returns where, in CSS px of the viewport.
  async function point(q, o) {
    const el = subject(q, o);
    if (!o.force) {
      check(el, o);
      await stable(el);
    }
    let at = aim(el, o.position);
    if (!inView(at) || !(o.force || meets(el, topmost(at.x, at.y, el)))) {
      its(boxed(el)).scrollIntoView({ block: alignments[o.attempt % alignments.length], inline: "center", behavior: "instant" });
      await nextFrame();
      at = aim(el, o.position);
    }
    if (!inView(at)) wait(`${describe(el)} is outside of the viewport`);
    const hit = topmost(at.x, at.y, el);
    if (!o.force && !meets(el, hit)) {
      wait(barred(el, hit, at.x, at.y));
    }
    return { x: at.x, y: at.y, watched: Boolean(o.watch) && watch(el, at, hit, o) };
  }

  // watched is the move of the mouse that is waited for, if one is.
  let watched = null;

  // watch looks on until the mouse comes to the point of an element. What is shown in
  // a frame tells its own document of the mouse: then there is nothing to watch.
  function watch(el, at, hit, o) {
    watched = null;
    if (/^(iframe|frame|embed|object|fencedframe)$/.test(hit && its(hit).localName)) return false;
    const w = { el, came: false, near: null, missed: null, wasHovered: hovered(el), patient: o.attempt < 2 };
    w.look = (e) => {
      if (!e.isTrusted || w.came) return;
      const under = topmost(e.clientX, e.clientY, el);
      if (!o.force && !meets(el, under) && !meets(el, e.target)) w.missed = under;
      else if (Math.abs(e.clientX - at.x) < 2 && Math.abs(e.clientY - at.y) < 2) w.came = true;
      else w.near = e;
    };
    addEventListener("pointermove", look, looking); // anew: document.open takes it away
    watched = w;
    return true;
  }

  const look = (e) => { if (watched) watched.look(e); };
  const looking = { capture: true, passive: true };
  addEventListener("pointermove", look, looking); // before any script of the page can keep events to itself

  const hovered = (el) => its(el).matches(":hover") || Array.from(its(el).labels || []).some((label) => label.matches(":hover"));

  // arrived waits a moment for the mouse to come to where it was sent. A page may keep
  // the move from all who come after it; that it changed what is hovered tells then.
  // In a frame that is drawn askew it may come to another place of the element only.
  async function arrived(press) {
    const w = watched;
    if (!w) wait("the document was replaced when the mouse came");
    for (let frames = 0; frames < 2 && !w.came; frames++) await nextFrame();
    if (watched === w) watched = null;
    if (press && !its(w.el).isConnected) wait(`${describe(w.el)} was removed when the mouse came`);
    if (w.came || (w.near && !w.patient)) return;
    if (w.near) wait(`the mouse comes to another place of ${describe(w.el)}`);
    if (w.missed) wait(`${describe(w.missed)} covers ${describe(w.el)} when the mouse comes`);
    if (w.wasHovered || !hovered(w.el)) wait(`the mouse does not come to ${describe(w.el)}: something outside of its frame takes it`);
  }

  // toggle says whether a control has to be clicked to be checked, or unchecked.
  function toggle(q, checked) {
    const el = labelled(one(q));
    if (read.checked(el) === checked) return false;
    if (!checked && el instanceof HTMLInputElement && el.type === "radio") never(`${describe(el)}: cannot uncheck a radio button: check another of its group`);
    return true;
  }

  const deepActive = () => {
    let el = document.activeElement;
    while (el && its(el).shadowRoot && its(el).shadowRoot.activeElement) el = its(el).shadowRoot.activeElement;
    return el;
  };

  // takeFocus focuses an element. A part of what is edited takes no focus: the whole
  // does then, with the caret in the part.
  function takeFocus(el) {
    its(el).focus();
    if (deepActive() === el || !its(el).isContentEditable) return;
    let whole = el;
    for (let up = el; up && its(up).isContentEditable; up = its(up).parentElement) whole = up;
    its(whole).focus();
    const caret = getSelection();
    if (its(el).contains(caret.anchorNode)) return;
    caret.selectAllChildren(el);
    caret.collapseToEnd();
  }

  function focus(q) {
    const el = labelled(one(q));
    takeFocus(el);
    return deepActive() === el || its(el).contains(deepActive());
  }

  const setDirectly = new Set(["color", "date", "time", "datetime-local", "month", "range", "week"]);

  // setValue sets such an input, or leaves it as it is when it does not take the value.
  // Chrome writes a value in its own way: seconds that are none go, as zeros at an end.
  function setValue(el, text) {
    const value = el.type === "color" ? text.trim().toLowerCase() : text.trim();
    const before = el.value;
    el.value = value;
    const taken = el.value === value || (value !== "" && (el.type === "range" ? Number(el.value) === Number(value) : el.type !== "color" && el.value !== ""));
    if (taken) return;
    el.value = before;
    never(`${describe(el)} does not take the value ${JSON.stringify(text)}`);
  }

  const numeric = /^\s*([-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?)?\s*$/i;

  // holdsNothing says of an editable element that there is nothing to delete in it.
  const holdsNothing = (el) => (typeof el.select === "function" ? el.value === "" : its(el).textContent === "" && its(el).querySelector(":not(br,div,p,span)") === null);

  // fill gets an element ready for text: focused, its content selected when it is
  // to be replaced. It returns what is left to do: "insert" the text, "delete" what is
  // selected, or "" when the value was set here.
  function fill(q, value, replace) {
    const el = labelled(one(q));
    check(el, { enabled: true, editable: true });
    if (el instanceof HTMLInputElement && setDirectly.has(el.type)) {
      its(el).focus();
      setValue(el, value);
      changed(el);
      return "";
    }
    if (replace && el instanceof HTMLInputElement && el.type === "number" && !numeric.test(value)) never(`${describe(el)} does not take the value ${JSON.stringify(value)}`);
    takeFocus(el);
    const active = deepActive();
    if (active !== el && !its(el).contains(active) && !(its(el).isContentEditable && active && active.contains(el))) wait(`${describe(el)} could not be focused`);
    if (!replace) return "insert";
    if (typeof el.select === "function") el.select();
    else getSelection().selectAllChildren(el);
    return value === "" && !holdsNothing(el) ? "delete" : "insert";
  }

  function changed(el) {
    its(el).dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    its(el).dispatchEvent(new Event("change", { bubbles: true }));
  }

  // takesFiles refuses files that a file input would not take from its user either.
  function takesFiles(q, n, directory) {
    const el = labelled(one(q));
    if (!(el instanceof HTMLInputElement) || el.type !== "file") never(`${describe(el)} is not a file input`);
    if (directory && !el.webkitdirectory) never(`${describe(el)} takes files, and what it was given is a directory`);
    if (!directory && el.webkitdirectory) never(`${describe(el)} takes a directory: give its path`);
    if (n > 1 && !el.multiple) never(`${describe(el)} takes one file, not ${n}`);
    if (directory) el.value = ""; // so that the new ones can be waited for
  }

  // holdsFiles waits for the files of a directory, which Chrome lists in its own time.
  function holdsFiles(q) {
    const el = labelled(one(q));
    if (el.files.length === 0) wait(`${describe(el)} has not taken the directory`);
  }

  // clearFiles takes its files away from a file input.
  function clearFiles(q) {
    const el = labelled(one(q));
    if (!(el instanceof HTMLInputElement) || el.type !== "file") never(`${describe(el)} is not a file input`);
    if (el.files.length === 0) return;
    el.value = "";
    changed(el);
  }

  // typed says that text was put in; the page hears of it as after leaving the field.
  function typed(q) {
    its(labelled(one(q))).dispatchEvent(new Event("change", { bubbles: true }));
  }

  const matchesOption = (option, want) =>
    (want.value === undefined || option.value === want.value) && (want.label === undefined || option.label.trim() === want.label) &&
    (want.index === undefined || option.index === want.index);

  // select chooses options: each wanted one by value (else by label), {value}, {label} or {index}.
  function select(q, wanted) {
    const el = labelled(one(q));
    if (!(el instanceof HTMLSelectElement)) never(`${describe(el)} is not a select`);
    check(el, { enabled: true });
    const options = Array.from(el.options);
    const chosen = wanted.map((want) => {
      const byText = typeof want === "string";
      const found = byText ? options.find((o) => o.value === want) || options.find((o) => o.label.trim() === want) : options.find((o) => matchesOption(o, want));
      if (!found) wait(`${describe(el)} has no option ${JSON.stringify(want)}`);
      if (found.matches(":disabled")) wait(`the option ${JSON.stringify(want)} of ${describe(el)} is disabled`);
      return found;
    });
    if (el.multiple) for (const option of options) option.selected = chosen.includes(option);
    else if (chosen.length > 0) chosen[0].selected = true;
    else el.selectedIndex = -1;
    changed(el);
    return Array.from(el.selectedOptions, (o) => o.value);
  }

  function scroll(q) {
    const el = one(q);
    if (boxesOf(el).length === 0) wait(`${describe(el)} is not visible`);
    its(boxed(el)).scrollIntoViewIfNeeded(true);
  }

  // linear is how an element's own axes lie and scale in the viewport of its document.
  // Where an element is moved to does not matter here.
  function linear(el) {
    let m = new DOMMatrix();
    for (let node = el; node; node = its(node).assignedSlot || parentOf(node)) {
      const style = getComputedStyle(node);
      const own = new DOMMatrix();
      if (style.rotate !== "none") own.multiplySelf(new DOMMatrix(rotation(style.rotate)));
      if (style.scale !== "none") own.multiplySelf(new DOMMatrix(`scale(${style.scale.split(" ").slice(0, 2).join(",")})`));
      if (style.transform !== "none") own.multiplySelf(new DOMMatrix(style.transform));
      m = own.multiply(m);
    }
    return m.scale(its(el).currentCSSZoom || 1);
  }

  // rotation makes a transform of the rotate property: an angle, with an axis before it.
  function rotation(value) {
    const parts = value.split(" ");
    const angle = parts.pop();
    if (parts.length === 3) return `rotate3d(${parts.join(",")},${angle})`;
    return `rotate${(parts[0] || "").toUpperCase()}(${angle})`;
  }

  // outside moves points from the viewport of a frame to that of the document that
  // shows it in an iframe element. A transform keeps the middle of the element in the
  // middle of the box around it.
  function outside(q, points) {
    const el = one(q);
    const box = its(el).getBoundingClientRect(), style = getComputedStyle(el), m = linear(el);
    const left = el.clientLeft + parseFloat(style.paddingLeft) - el.offsetWidth / 2;
    const top = el.clientTop + parseFloat(style.paddingTop) - el.offsetHeight / 2;
    return points.map((at) => {
      const x = left + at.x, y = top + at.y;
      return { x: box.x + box.width / 2 + m.a * x + m.c * y, y: box.y + box.height / 2 + m.b * x + m.d * y };
    });
  }

  // through moves a point as outside does, and says what covers the frame there.
  function through(q, at) {
    const el = one(q);
    const [{ x, y }] = outside(q, [at]);
    const hit = topmost(x, y, el);
    if (!meets(el, hit)) wait(barred(el, hit, x, y));
    return { x, y };
  }

  // handle gives the element itself, or the problem's text.
  function handle(q) {
    try { return labelled(one(q)); } catch (e) { return e instanceof Problem ? e.toString() : String(e); }
  }

  return Object.freeze({ point, arrived, focus, fill, typed, select, scroll, handle, clearFiles, takesFiles, holdsFiles, outside, through, toggle });
})();
