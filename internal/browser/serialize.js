// Runs in every document before the page's first script and is reachable only by
// its unguessable name. It turns what page code gives back into tagged JSON and
// uses nothing the page can have replaced: built-ins are taken here and now, the
// rest is syntax.
const EGOD_NAME = (() => {
  "use strict";
  const { bind, call } = Function.prototype;
  const uncurry = bind.bind(call);
  const getter = (proto, name) => {
    const found = proto && Object.getOwnPropertyDescriptor(proto, name);
    return found && found.get ? uncurry(found.get) : () => { throw 0; };
  };
  const { stringify, parse } = JSON;
  const { getPrototypeOf, setPrototypeOf, freeze } = Object;
  const { isArray } = Array;
  const { isView } = ArrayBuffer;
  const ObjectProto = Object.prototype, ArrayProto = Array.prototype;
  const Bytes = Uint8Array;
  const isPrototypeOf = uncurry(ObjectProto.isPrototypeOf);
  const classOf = uncurry(ObjectProto.toString);
  const exec = uncurry(RegExp.prototype.exec);
  const apply = uncurry(call);
  const dateTime = uncurry(Date.prototype.getTime), dateISO = uncurry(Date.prototype.toISOString);
  const MapProto = Map.prototype, SetProto = Set.prototype;
  const mapEach = uncurry(MapProto.forEach), setEach = uncurry(SetProto.forEach);
  const setHas = uncurry(SetProto.has), setAdd = uncurry(SetProto.add), setDelete = uncurry(SetProto.delete);
  const PristineSet = Set;
  const regexpSource = getter(RegExp.prototype, "source");
  const flagNames = setPrototypeOf(["hasIndices", "global", "ignoreCase", "multiline", "dotAll", "unicode", "unicodeSets", "sticky"], null);
  const flagLetters = "dgimsuvy", flagCount = 8;
  for (let i = 0; i < flagCount; i++) flagNames[i] = getter(RegExp.prototype, flagNames[i]);
  const TypedProto = getPrototypeOf(Int8Array.prototype);
  const typedLength = getter(TypedProto, "length");
  const viewBuffer = getter(DataView.prototype, "buffer");
  const bufferLength = getter(ArrayBuffer.prototype, "byteLength");
  const boxes = [Number, String, Boolean, BigInt, Symbol].map((type) => uncurry(type.prototype.valueOf));
  const ErrorProto = Error.prototype, isNativeError = Error.isError;
  const PromiseProto = Promise.prototype;
  const toText = String;
  const inPage = typeof Node === "function";
  const nodeType = inPage && getter(Node.prototype, "nodeType"), nodeName = inPage && getter(Node.prototype, "nodeName");
  const nodeValue = inPage && getter(Node.prototype, "nodeValue");
  const localName = inPage && getter(Element.prototype, "localName");
  const attributes = inPage && getter(Element.prototype, "attributes");
  const attrName = inPage && getter(Attr.prototype, "name"), attrValue = inPage && getter(Attr.prototype, "value");
  const attrCount = inPage && getter(NamedNodeMap.prototype, "length"), attrAt = inPage && uncurry(NamedNodeMap.prototype.item);
  const listLength = inPage && getter(NodeList.prototype, "length"), collectionLength = inPage && getter(HTMLCollection.prototype, "length");
  const documentTitle = inPage && getter(Document.prototype, "title");
  const addListener = inPage && uncurry(EventTarget.prototype.addEventListener);
  const removeListener = inPage && uncurry(EventTarget.prototype.removeEventListener);
  const dispatch = inPage && uncurry(EventTarget.prototype.dispatchEvent);
  const composedPath = inPage && uncurry(Event.prototype.composedPath);
  const eventDetail = inPage && getter(CustomEvent.prototype, "detail");
  const PageEvent = inPage && CustomEvent;
  const view = globalThis, place = inPage && location;

  const DEEPEST = 1000;
  // Kinds that have no data of their own to show: {} for them would be a lie.
  const opaque = new PristineSet(["WeakMap", "WeakSet", "WeakRef", "Generator", "AsyncGenerator", "Blob", "File", "FormData", "Headers",
    "Request", "Response", "ReadableStream", "URLSearchParams", "MessagePort", "CryptoKey", "Window", "AbortController", "AbortSignal",
    "Array Iterator", "Map Iterator", "Set Iterator", "String Iterator", "RegExp String Iterator", "Iterator Helper"]);

  // list and record are what the page's prototypes have no say in: no toJSON, no setters.
  const list = () => setPrototypeOf([], null);
  const tag = (type, value) => ({ __proto__: null, $type: type, value });

  // packer walks one value. keys[0..depth] is the path to where it stands.
  function packer() {
    const keys = list();
    const active = new PristineSet();
    let depth = 0;

    function path() {
      let out = "$";
      for (let i = 0; i < depth; i++) {
        if (i === 20) return out + "...";
        const key = keys[i];
        if (typeof key === "number") out += "[" + key + "]";
        else if (exec(/^[A-Za-z_$][A-Za-z0-9_$]*$/, key)) out += "." + key;
        else out += "[" + stringify(key) + "]";
      }
      return out;
    }
    const refuse = (reason) => { throw { __proto__: null, path: path(), reason }; };

    function at(key, value) {
      keys[depth++] = key;
      const out = walk(value);
      depth--;
      return out;
    }

    function walk(value) {
      switch (typeof value) {
        case "string": case "boolean": return value;
        case "undefined": return null;
        case "number":
          if (value !== value) return tag("number", "NaN");
          if (value === 1 / 0) return tag("number", "Infinity");
          if (value === -1 / 0) return tag("number", "-Infinity");
          if (value === 0 && 1 / value < 0) return tag("number", "-0");
          return value;
        case "bigint": return tag("bigint", `${value}`);
        case "function": return refuse("a function has no JSON form");
        case "symbol": return refuse("a symbol has no JSON form");
      }
      if (value === null) return null;
      if (depth >= DEEPEST) return refuse("nested deeper than " + DEEPEST);
      if (setHas(active, value)) return refuse("the value contains itself");
      setAdd(active, value);
      const out = object(value);
      setDelete(active, value);
      return out;
    }

    function object(value) {
      if (isArray(value)) return custom(value, (v) => items(v, v.length));
      const proto = getPrototypeOf(value);
      if (proto === ObjectProto || proto === null) return custom(value, fields);
      return exotic(value);
    }

    // custom honours toJSON, but not one that was put on the built-in prototypes.
    function custom(value, otherwise) {
      const method = value.toJSON;
      if (typeof method !== "function" || method === ObjectProto.toJSON || method === ArrayProto.toJSON) return otherwise(value);
      const out = apply(method, value, depth ? toText(keys[depth - 1]) : "");
      return out === value ? otherwise(value) : walk(out);
    }

    function items(value, n) {
      const out = list();
      for (let i = 0; i < n; i++) out[i] = at(i, value[i]);
      return out;
    }

    function fields(value) {
      const copy = { __proto__: null, ...value };
      for (const key in copy) copy[key] = at(key, copy[key]);
      return copy;
    }

    // probe answers whether a brand check succeeds; its result is in found.
    let found;
    function probe(check, value) {
      try { found = check(value); return true; } catch { return false; }
    }

    function exotic(value) {
      if (probe(dateTime, value)) return found === found ? dateISO(value) : tag("date", "Invalid Date");
      if (inPage && probe(nodeType, value)) return tag("node", nodeText(value, found));
      if (probe(setHasAny, value)) return entries(setEach, value, "set");
      if (probe(mapHasAny, value)) return entries(mapEach, value, "map");
      if (isView(value)) return probe(typedLength, value) ? items(value, found) : bytes(viewBuffer(value));
      if (probe(bufferLength, value)) return bytes(value);
      if (probe(regexpSource, value)) return tag("regexp", regexpText(value));
      if (isError(value)) return errorRecord(value);
      if (isPromise(value)) return refuse("a promise has no JSON form; await it");
      if (inPage && (probe(listLength, value) || probe(collectionLength, value))) return items(value, found);
      for (let i = 0; i < boxes.length; i++) if (probe(boxes[i], value)) return walk(found);
      return custom(value, instance);
    }

    function instance(value) {
      const out = fields(value);
      for (const _ in out) return out;
      const kind = className(value);
      return setHas(opaque, kind) ? refuse(article(kind) + kind + " has no JSON form") : out;
    }

    function entries(each, value, kind) {
      const out = list();
      let i = 0;
      each(value, (item, key) => {
        if (kind === "set") { out[i] = at(i, item); i++; return; }
        const pair = list();
        keys[depth++] = i;
        pair[0] = at(0, key);
        pair[1] = at(1, item);
        depth--;
        out[i++] = pair;
      });
      return tag(kind, out);
    }

    const bytes = (buffer) => { const view = new Bytes(buffer); return items(view, typedLength(view)); };
    return { __proto__: null, walk, path };
  }

  const setSize = getter(SetProto, "size"), mapSize = getter(MapProto, "size");
  const setHasAny = (value) => setSize(value);
  const mapHasAny = (value) => mapSize(value);
  const className = (value) => { const text = exec(/^\[object (.*)\]$/, classOf(value)); return text ? text[1] : "Object"; };
  const article = (kind) => (exec(/^[AEIO]/, kind) ? "an " : "a ");
  const isError = (value) => isNativeError ? isNativeError(value) : isPrototypeOf(ErrorProto, value);
  const isPromise = (value) => isPrototypeOf(PromiseProto, value) || className(value) === "Promise";
  const isObject = (value) => (typeof value === "object" && value !== null) || typeof value === "function";

  function nodeText(node, type) {
    if (type !== 1) return type === 9 ? "#document" : nodeName(node) + " " + stringify(nodeValue(node));
    let out = "<" + localName(node);
    const all = attributes(node), n = attrCount(all);
    for (let i = 0; i < n; i++) {
      const attr = attrAt(all, i);
      out += " " + attrName(attr) + '="' + escapeAttribute(attrValue(attr)) + '"';
    }
    return out + ">";
  }

  function escapeAttribute(text) {
    let out = "";
    for (let i = 0; i < text.length; i++) out += text[i] === "&" ? "&amp;" : text[i] === '"' ? "&quot;" : text[i];
    return out;
  }

  function regexpText(value) {
    let out = "/" + regexpSource(value) + "/";
    for (let i = 0; i < flagCount; i++) if ((0, flagNames[i])(value)) out += flagLetters[i];
    return out;
  }

  // read takes a property that may be a getter of the page.
  const read = (value, key) => { try { const v = value[key]; return typeof v === "string" ? v : undefined; } catch { return undefined; } };
  const errorRecord = (e) => ({
    __proto__: null, $type: "error", name: read(e, "name") || "Error", message: read(e, "message") || "", stack: read(e, "stack") || "",
  });

  const done = (record) => {
    const text = stringify(record);
    return text.length > EGOD_LIMIT ? stringify({ __proto__: null, x: text.length }) : text;
  };

  function success(value, withPage) {
    const pack = packer();
    try {
      const record = { __proto__: null, v: pack.walk(value) };
      if (withPage) { record.u = place.href; record.t = documentTitle(document); }
      return done(record);
    } catch (e) {
      const ours = isObject(e) && getPrototypeOf(e) === null && typeof e.reason === "string";
      if (ours) return done({ __proto__: null, r: { __proto__: null, path: e.path, reason: e.reason } });
      const text = isError(e) ? read(e, "message") : "";
      return done({ __proto__: null, r: { __proto__: null, path: pack.path(), reason: "reading it threw " + (text || "an exception") } });
    }
  }

  function failure(thrown) {
    if (isObject(thrown) && isError(thrown)) return done({ __proto__: null, e: errorRecord(thrown) });
    let value;
    try { value = packer().walk(thrown); } catch { value = { __proto__: null, $type: "opaque" }; }
    let text = "";
    try { text = isObject(thrown) ? className(thrown) : toText(thrown); } catch { /* a hostile toString */ }
    return done({ __proto__: null, e: { __proto__: null, value, text } });
  }

  // invoke calls fn with the JSON text args (undefined: no argument) and reports how it ended.
  async function invoke(fn, args, withPage) {
    let value;
    try {
      if (typeof fn !== "function") return done({ __proto__: null, n: typeof fn });
      value = args === undefined ? await fn() : await fn(parse(args));
    } catch (e) {
      return failure(e);
    }
    return success(value, withPage);
  }

  // gather collects the elements that the query script in the isolated world
  // finds: it answers by sending an event to each of them, which both worlds see.
  function gather(query) {
    const found = list();
    let n = 0, problem = '{"kind":"deaf","message":"the query script does not hear"}';
    const push = (e) => { found[n++] = composedPath(e)[0]; };
    const report = (e) => { problem = eventDetail(e); };
    addListener(view, "EGOD_NAME-push", push, true);
    addListener(view, "EGOD_NAME-done", report, true);
    try {
      dispatch(view, new PageEvent("EGOD_NAME-query", { __proto__: null, detail: query }));
    } finally {
      removeListener(view, "EGOD_NAME-push", push, true);
      removeListener(view, "EGOD_NAME-done", report, true);
    }
    return { __proto__: null, found, n, problem };
  }

  // onElements calls fn(elements, arg), or fn(element, arg) when single is set.
  async function onElements(fn, query, single, args) {
    const got = gather(query);
    if (got.problem !== "") return done({ __proto__: null, q: got.problem });
    let value;
    try {
      if (typeof fn !== "function") return done({ __proto__: null, n: typeof fn });
      const subject = single ? got.found[0] : setPrototypeOf(got.found, ArrayProto);
      value = await fn(subject, args === undefined ? undefined : parse(args));
    } catch (e) {
      return failure(e);
    }
    return success(value, false);
  }

  return freeze({ __proto__: null, invoke, success, failure, onElements });
})();
