// How values look in logs and in messages: as Node's util.inspect shows them.
(function (native, shared) {
  const { isMap, isSet, isPromise, isBuffer, dateValue } = shared;
  const plainKey = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
  const escapes = /\u001b\[\d\d?m/g;
  const custom = Symbol.for("nodejs.util.inspect.custom");
  const own = Object.prototype.hasOwnProperty;
  const enumerable = Object.prototype.propertyIsEnumerable;
  const defaults = { showHidden: false, depth: 2, colors: false, customInspect: true, showProxy: false, maxArrayLength: 100, maxStringLength: 10000, breakLength: 80, compact: 3, sorted: false, getters: false, numericSeparator: false };
  const colors = { number: [33, 39], bigint: [33, 39], boolean: [33, 39], string: [32, 39], symbol: [32, 39], undefined: [90, 39], null: [1, 22], special: [36, 39], date: [35, 39], regexp: [31, 39] };
  const width = (text) => text.replace(escapes, "").length;
  const plural = (n, what) => `${n} more ${what}${n > 1 ? "s" : ""}`;

  const quote = (s) => {
    const q = !s.includes("'") ? "'" : !s.includes('"') ? '"' : !s.includes("`") && !s.includes("${") ? "`" : "'";
    let out = "";
    for (const c of s) {
      if (c === q || c === "\\") out += "\\" + c;
      else if (c === "\n") out += "\\n";
      else if (c === "\t") out += "\\t";
      else if (c === "\r") out += "\\r";
      else if (c === "\b") out += "\\b";
      else if (c === "\f") out += "\\f";
      else if (c === "\v") out += "\\v";
      else if (c < " " || (c >= "\x7f" && c <= "\x9f")) out += "\\x" + c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0");
      else if (c.length === 1 && c >= "\ud800" && c <= "\udfff") out += "\\u" + c.charCodeAt(0).toString(16);
      else out += c;
    }
    return q + out + q;
  };
  const separated = (digits) => digits.replace(/^(-?\d+)(\.\d+)?/, (m, whole, part = "") => whole.replace(/\B(?=(\d{3})+$)/g, "_") + part.replace(/(\d{3})(?=\d)/g, "$1_"));
  const constructorName = (v) => {
    for (let o = v; o; o = Object.getPrototypeOf(o)) {
      const found = Object.getOwnPropertyDescriptor(o, "constructor");
      if (found && typeof found.value === "function" && found.value.name !== "") return found.value.name;
    }
    return null;
  };

  class Printer {
    constructor(given) {
      this.given = given;
      Object.assign(this, defaults, given);
      for (const name of ["depth", "maxArrayLength", "maxStringLength"]) if (this[name] === null) this[name] = Infinity;
      for (const name of Object.keys(defaults)) if (this[name] === undefined) this[name] = defaults[name];
      if (typeof this.compact !== "number") this.compact = this.compact ? 3 : 0;
      this.seen = [];
      this.circular = new Map();
      this.latest = 0; // the level of the object that was printed last
    }

    style(text, kind) {
      return this.colors && colors[kind] ? `\u001b[${colors[kind][0]}m${text}\u001b[${colors[kind][1]}m` : text;
    }

    primitive(v, level) {
      switch (typeof v) {
        case "string":
          return this.text(v, level);
        case "number": {
          const text = Object.is(v, -0) ? "-0" : String(v);
          return this.style(this.numericSeparator ? separated(text) : text, "number");
        }
        case "bigint":
          return this.style(`${this.numericSeparator ? separated(String(v)) : v}n`, "bigint");
        case "symbol":
          return this.style(v.toString(), "symbol");
      }
      return this.style(String(v), v === null ? "null" : typeof v);
    }

    // text shows a string; a long one of several lines stands on as many.
    text(v, level) {
      let rest = "";
      if (v.length > this.maxStringLength) {
        rest = `... ${plural(v.length - this.maxStringLength, "character")}`;
        v = v.slice(0, this.maxStringLength);
      }
      if (v.length > 16 && v.length > this.breakLength - 2 * level - 4 && v.includes("\n")) {
        const lines = v.match(/[^\n]*\n|[^\n]+$/g).map((line) => this.style(quote(line), "string"));
        return lines.join(` +\n${" ".repeat(2 * level + 2)}`) + rest;
      }
      return this.style(quote(v), "string") + rest;
    }

    print(v, level) {
      if ((typeof v !== "object" && typeof v !== "function") || v === null) return this.primitive(v, level);
      if (native.isProxy(v)) return this.proxy(v, level);
      if (this.customInspect) {
        const method = v[custom];
        if (typeof method === "function" && method !== inspect) {
          const depth = this.depth - level;
          const shown = method.call(v, depth, { ...defaults, ...this.given, depth, stylize: (text, kind) => this.style(`${text}`, kind) }, inspect);
          if (shown !== v) return typeof shown === "string" ? shown.replaceAll("\n", "\n" + " ".repeat(2 * level)) : this.print(shown, level);
        }
      }
      if (this.seen.includes(v)) {
        if (!this.circular.has(v)) this.circular.set(v, this.circular.size + 1);
        return this.style(`[Circular *${this.circular.get(v)}]`, "special");
      }
      this.seen.push(v);
      try {
        const text = this.object(v, level);
        const ref = this.circular.get(v);
        return ref ? `${this.style(`<ref *${ref}>`, "special")} ${text}` : text;
      } finally {
        this.seen.pop();
      }
    }

    // proxy shows the target, without a call of the handler's functions.
    proxy(v, level) {
      const [target, handler] = native.proxyParts(v);
      if (target === null) return this.style("<Revoked Proxy>", "special");
      if (!this.showProxy) return this.print(target, level);
      if (level > this.depth) return this.style("Proxy [Array]", "special");
      return this.join("Proxy [", [this.print(target, level + 1), this.print(handler, level + 1)], "]", level);
    }

    object(v, level) {
      const name = constructorName(v);
      const head = shared.inspectHead(this, v, name, level);
      const keys = this.keys(v, head);
      if (head.whole !== undefined && keys.length === 0 && !head.extra) return head.whole;
      if (head.length === 0 && keys.length === 0 && !head.extra) return head.open + head.close;
      if (level > this.depth) return this.style(head.whole !== undefined ? head.whole : Array.isArray(v) ? "[Array]" : `[${name === null ? "Object: null prototype" : name}]`, head.whole === undefined && "special");
      this.latest = level;
      const items = head.items ? head.items(level + 1) : [];
      const listed = items.length;
      for (const key of keys) items.push(this.member(v, key, head.indexed, level + 1));
      for (const [label, value] of head.extra || []) items.push(`[${label}]: ${this.print(value, level + 1)}`);
      if (this.sorted && !head.indexed) items.sort(typeof this.sorted === "function" ? this.sorted : undefined);
      const base = head.whole === undefined ? "" : head.whole;
      const grouped = head.indexed && this.compact > 0 && items.length > 6 ? this.columns(v, items, listed, level) : items;
      return this.join(base + (base ? " " : "") + (head.open || "{"), grouped, head.close || "}", level, base, grouped === items);
    }

    keys(v, head) {
      let names = this.showHidden ? Object.getOwnPropertyNames(v) : Object.keys(v);
      if (head.indexed) names = names.filter((k) => !/^\d+$/.test(k));
      if (head.hide) names = names.filter((k) => !head.hide.includes(k));
      const symbols = Object.getOwnPropertySymbols(v).filter((s) => this.showHidden || enumerable.call(v, s));
      return names.concat(symbols);
    }

    member(v, key, indexed, level) {
      const found = Object.getOwnPropertyDescriptor(v, key) || { value: v[key], enumerable: true };
      const name = typeof key === "symbol" ? `[${this.style(key.toString(), "symbol")}]` : !found.enumerable ? `[${key}]` : plainKey.test(key) ? key : this.style(quote(key), "string");
      return `${name}: ${found.get || found.set ? this.accessor(v, found, level) : this.print(found.value, level)}`;
    }

    accessor(v, { get, set }, level) {
      const kind = get ? (set ? "Getter/Setter" : "Getter") : "Setter";
      if (!get || !this.getters || (this.getters === "get" && set) || (this.getters === "set" && !set)) return this.style(`[${kind}]`, "special");
      try {
        const value = get.call(v);
        const text = this.print(value, level);
        return typeof value === "object" && value !== null ? `${this.style(`[${kind}]`, "special")} ${text}` : `${this.style(`[${kind}:`, "special")} ${text}${this.style("]", "special")}`;
      } catch (error) {
        return this.style(`[${kind}: <Inspection threw (${error && error.message})>]`, "special");
      }
    }

    // columns puts the short elements of a long array side by side. How many are in
    // a row goes by the square of what they fill, as Node has it.
    columns(v, items, listed, level) {
      const more = listed < items.length || /^\.\.\. \d/.test(items[listed - 1]) ? 1 : 0;
      const count = items.length - (v.length > this.maxArrayLength ? more : 0);
      const widths = items.slice(0, count).map((text) => width(text) + 2);
      const total = widths.reduce((sum, w) => sum + w, 0);
      const most = Math.max(...widths);
      if (most * 3 + 2 * level >= this.breakLength || !(total / most > 5 || most <= 8)) return items;
      const share = Math.max(most - 3 - Math.sqrt(most - total / items.length), 1);
      const across = Math.min(Math.round(Math.sqrt(2.5 * share * count) / share), Math.floor((this.breakLength - 2 * level) / most), this.compact * 4, 15);
      if (across <= 1) return items;
      const columns = Array.from({ length: across }, (_, i) => Math.max(...widths.filter((w, k) => k % across === i)));
      const right = Array.prototype.slice.call(v, 0, count).every((x) => typeof x === "number" || typeof x === "bigint");
      const rows = [];
      for (let from = 0; from < count; from += across) {
        const row = items.slice(from, Math.min(from + across, count)).map((text, i, all) => {
          const last = i === all.length - 1;
          const padding = " ".repeat(Math.max(columns[i] - 2 - width(text), 0));
          return right ? padding + text + (last ? "" : ", ") : last ? text : text + ", " + padding;
        });
        rows.push(row.join(""));
      }
      return rows.concat(items.slice(count));
    }

    join(open, items, close, level, base = "", oneLine = true) {
      const indent = "\n" + "  ".repeat(level);
      if (this.compact > 0 && oneLine && this.latest - level < this.compact && !base.includes("\n")) {
        const length = items.reduce((sum, text) => sum + width(text) + 1, items.length + 2 * level + width(open) + 10);
        if (length <= this.breakLength && !items.some((text) => text.includes("\n"))) return `${open} ${items.join(", ")} ${close}`;
      }
      return `${open}${indent}  ${items.join(`,${indent}  `)}${indent}${close}`;
    }
  }

  function inspect(v, options, ...more) {
    const given = typeof options === "object" && options !== null ? options : { showHidden: options, depth: more[0], colors: more[1] };
    return new Printer(given).print(v, 0);
  }
  inspect.custom = custom;
  inspect.defaultOptions = defaults;
  inspect.colors = { __proto__: null, ...colors };

  // received is how Node's errors about arguments name a value.
  function received(v) {
    if (v === null || v === undefined) return `${v}`;
    if (typeof v === "function") return `function ${v.name}`;
    if (typeof v === "object") {
      const name = v.constructor && v.constructor.name;
      return name ? `an instance of ${name}` : inspect(v, { depth: -1 });
    }
    const text = inspect(v);
    return `type ${typeof v} (${text.length > 28 ? text.slice(0, 25) + "..." : text})`;
  }

  Object.assign(shared, { received, inspect, constructorName, quote, cleanStack: native.cleanStack });
})
