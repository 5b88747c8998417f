// How values look in logs: the style of Node's util.inspect, written for reading.
(function (native, shared) {
  const { isMap, isSet, isPromise, isBuffer, dateValue } = shared;
  const maxItems = 100;
  const lineWidth = 76;
  const plainKey = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
  const custom = Symbol.for("nodejs.util.inspect.custom");

  const quote = (s) => {
    const q = !s.includes("'") ? "'" : !s.includes('"') ? '"' : !s.includes("`") ? "`" : "'";
    let out = "";
    for (const c of s) {
      if (c === q || c === "\\") out += "\\" + c;
      else if (c === "\n") out += "\\n";
      else if (c === "\t") out += "\\t";
      else if (c === "\r") out += "\\r";
      else if (c < " " || c === "\x7f") out += "\\x" + c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0");
      else if (c.length === 1 && c >= "\ud800" && c <= "\udfff") out += "\\u" + c.charCodeAt(0).toString(16).toUpperCase();
      else out += c;
    }
    return q + out + q;
  };
  const number = (n) => (Object.is(n, -0) ? "-0" : String(n));
  const primitive = (v) => {
    switch (typeof v) {
      case "string":
        return quote(v);
      case "number":
        return number(v);
      case "bigint":
        return `${v}n`;
      case "symbol":
        return v.toString();
    }
    return String(v);
  };
  const constructorName = (v) => {
    for (let o = v; o; o = Object.getPrototypeOf(o)) {
      const own = Object.getOwnPropertyDescriptor(o, "constructor");
      if (own && typeof own.value === "function" && own.value.name !== "") return own.value.name;
    }
    return null;
  };

  class Printer {
    constructor(options) {
      this.depth = options.depth === undefined ? 2 : options.depth === null ? Infinity : options.depth;
      this.showHidden = !!options.showHidden;
      this.width = options.breakLength === undefined ? lineWidth : options.breakLength;
      this.seen = [];
      this.circular = new Map();
    }

    // print returns the text of v; this.height is then how deep objects are nested
    // in it, which decides what is put on one line.
    print(v, level) {
      this.height = 0;
      if ((typeof v !== "object" && typeof v !== "function") || v === null) return primitive(v);
      if (this.seen.includes(v)) {
        if (!this.circular.has(v)) this.circular.set(v, this.circular.size + 1);
        return `[Circular *${this.circular.get(v)}]`;
      }
      if (typeof v[custom] === "function") {
        const shown = v[custom](this.depth - level, {}, inspect);
        if (shown !== v) return typeof shown === "string" ? shown : this.print(shown, level);
      }
      this.seen.push(v);
      try {
        const text = this.object(v, level);
        const ref = this.circular.get(v);
        return ref ? `<ref *${ref}> ${text}` : text;
      } finally {
        this.seen.pop();
      }
    }

    object(v, level) {
      const name = constructorName(v);
      const parts = this.head(v, name);
      if (level > this.depth && parts.whole === undefined && !this.empty(v, parts)) {
        return Array.isArray(v) ? "[Array]" : `[${name === null ? "Object: null prototype" : name}]`;
      }
      if (level > this.depth && parts.whole !== undefined) return parts.whole;
      let height = 0;
      const inner = (x) => {
        const text = this.print(x, level + 1);
        height = Math.max(height, this.height);
        return text;
      };
      const items = parts.items ? parts.items(inner) : [];
      for (const key of this.keys(v, parts)) items.push(this.member(v, key, inner));
      this.height = items.length > 0 ? height + 1 : 0;
      if (parts.whole !== undefined) {
        if (items.length === 0) return parts.whole;
        return this.join(`${parts.whole} `, "{", items, "}", level);
      }
      return this.join(parts.prefix, parts.open, items, parts.close, level);
    }

    // head tells how an object is opened, and which of its contents are no members.
    head(v, name) {
      const list = (items) => items.slice(0, maxItems).concat(items.length > maxItems ? [`... ${items.length - maxItems} more item${items.length > maxItems + 1 ? "s" : ""}`] : []);
      if (Array.isArray(v)) {
        return { prefix: name === "Array" ? "" : `${name}(${v.length}) `, open: "[", close: "]", indexed: true, items: (inner) => this.elements(v, inner) };
      }
      if (typeof v === "function") return { whole: this.functionHead(v) };
      const tag = Object.prototype.toString.call(v).slice(8, -1);
      if (v instanceof Error) return { whole: this.error(v), hide: ["stack", "message", "name"] };
      if (tag === "Date" && v instanceof Date) return { whole: Number.isNaN(dateValue(v)) ? "Invalid Date" : v.toISOString() };
      if (v instanceof RegExp) return { whole: RegExp.prototype.toString.call(v) };
      if (isMap(v)) {
        return { prefix: `${name}(${v.size}) `, open: "{", close: "}", items: (inner) => list([...v].map(([k, x]) => `${inner(k)} => ${inner(x)}`)) };
      }
      if (isSet(v)) return { prefix: `${name}(${v.size}) `, open: "{", close: "}", items: (inner) => list([...v].map(inner)) };
      if (isPromise(v)) return { prefix: `${name} `, open: "{", close: "}" };
      if (ArrayBuffer.isView(v) && v.length !== undefined) {
        if (name === "Buffer") return { whole: `<Buffer${[...v.slice(0, 50)].map((b) => " " + b.toString(16).padStart(2, "0")).join("")}${v.length > 50 ? ` ... ${v.length - 50} more bytes` : ""}>`, indexed: true };
        return { prefix: `${name}(${v.length}) `, open: "[", close: "]", indexed: true, items: () => list(Array.from(v, primitive)) };
      }
      if (isBuffer(v)) return { prefix: "ArrayBuffer ", open: "{", close: "}", items: () => [`byteLength: ${v.byteLength}`] };
      if (v instanceof Number || v instanceof String || v instanceof Boolean) return { whole: `[${name}: ${primitive(v.valueOf())}]`, indexed: v instanceof String };
      if (name === null) return { prefix: "[Object: null prototype] ", open: "{", close: "}" };
      const label = name === "Object" ? (tag === "Object" ? "" : `Object [${tag}] `) : tag !== name && tag !== "Object" ? `${name} [${tag}] ` : `${name} `;
      return { prefix: label, open: "{", close: "}" };
    }

    empty(v, parts) {
      return this.keys(v, parts).length === 0 && (Array.isArray(v) || isMap(v) || isSet(v) ? (v.length ?? v.size) === 0 : !parts.items);
    }

    elements(v, inner) {
      const out = [];
      let holes = 0;
      const flush = () => {
        if (holes > 0) out.push(`<${holes} empty item${holes > 1 ? "s" : ""}>`);
        holes = 0;
      };
      for (let i = 0; i < v.length; i++) {
        if (out.length >= maxItems) {
          out.push(`... ${v.length - i} more item${v.length - i > 1 ? "s" : ""}`);
          return out;
        }
        if (i in v) {
          flush();
          out.push(inner(v[i]));
        } else holes++;
      }
      flush();
      return out;
    }

    functionHead(fn) {
      const text = shared.functionText(fn);
      if (/^class\b/.test(text)) {
        const parent = Object.getPrototypeOf(fn);
        return `[class ${fn.name || "(anonymous)"}${parent && parent.name ? ` extends ${parent.name}` : ""}]`;
      }
      const kind = /^async\s*(function\s*)?\*/.test(text) ? "AsyncGeneratorFunction" : /^async\b/.test(text) ? "AsyncFunction" : /^(function\s*)?\*/.test(text) ? "GeneratorFunction" : "Function";
      return `[${kind}${fn.name ? `: ${fn.name}` : " (anonymous)"}]`;
    }

    error(e) {
      const stack = typeof e.stack === "string" ? shared.cleanStack(`${e.name}`, `${e.message}`, e.stack) : `[${e}]`;
      return e.cause === undefined ? stack : `${stack} {\n  [cause]: ${this.print(e.cause, 1)}\n}`;
    }

    keys(v, parts) {
      let keys = this.showHidden ? Object.getOwnPropertyNames(v) : Object.keys(v);
      if (parts.indexed) keys = keys.filter((k) => !/^\d+$/.test(k) && k !== "length");
      if (parts.hide) keys = keys.filter((k) => !parts.hide.includes(k));
      const symbols = Object.getOwnPropertySymbols(v).filter((s) => Object.prototype.propertyIsEnumerable.call(v, s));
      return keys.concat(symbols);
    }

    member(v, key, inner) {
      const own = Object.getOwnPropertyDescriptor(v, key) || { value: v[key] };
      const label = typeof key === "symbol" ? `[${key.toString()}]` : plainKey.test(key) ? key : quote(key);
      if (own.get) return `${label}: [Getter${own.set ? "/Setter" : ""}]`;
      if (own.set) return `${label}: [Setter]`;
      return `${label}: ${inner(own.value)}`;
    }

    join(prefix, open, items, close, level) {
      if (items.length === 0) return `${prefix}${open}${close}`;
      const single = `${prefix}${open} ${items.join(", ")} ${close}`;
      if (this.height <= 3 && single.length + level * 2 <= this.width && !single.includes("\n")) return single;
      const indent = "\n" + "  ".repeat(level);
      return `${prefix}${open}${indent}  ${items.join(`,${indent}  `)}${indent}${close}`;
    }
  }

  function inspect(v, options, ...more) {
    const given = typeof options === "object" && options !== null ? options : { showHidden: options, depth: more[0] };
    return new Printer(given).print(v, 0);
  }
  inspect.custom = custom;
  inspect.defaultOptions = { depth: 2 };

  const asString = (v) => {
    if (typeof v === "string") return v;
    if (typeof v === "bigint") return `${v}n`;
    if (typeof v === "number") return number(v);
    if (typeof v === "object" && v !== null) {
      if (v instanceof Date && !Number.isNaN(dateValue(v))) return v.toISOString();
      if (v instanceof Error || (typeof v.toString === "function" && v.toString !== Object.prototype.toString && v.toString !== Array.prototype.toString)) return String(v);
      return inspect(v, { depth: 0 });
    }
    return String(v);
  };
  const conversions = {
    s: asString,
    d: (v) => (typeof v === "bigint" ? `${v}n` : typeof v === "symbol" || (typeof v === "object" && v !== null) ? "NaN" : number(Number(v))),
    i: (v) => (typeof v === "bigint" ? `${v}n` : typeof v === "symbol" || typeof v === "object" ? "NaN" : number(parseInt(v, 10))),
    f: (v) => (typeof v === "symbol" ? "NaN" : number(parseFloat(v))),
    j: (v) => {
      try {
        return JSON.stringify(v);
      } catch {
        return "[Circular]";
      }
    },
    o: (v, options) => inspect(v, { ...options, showHidden: true, depth: 4 }),
    O: (v, options) => inspect(v, options),
    c: () => "",
  };

  // formatWith joins arguments as console.log does.
  function formatWith(options, args) {
    const [first, ...rest] = args;
    let text = "";
    let used = 0;
    if (typeof first === "string") {
      text = rest.length === 0 ? first : first.replace(/%([sdifjoOc%])/g, (whole, kind) => (kind === "%" ? "%" : used < rest.length ? conversions[kind](rest[used++], options) : whole));
    } else if (args.length > 0) {
      text = inspect(first, options);
    }
    for (const v of rest.slice(used)) text += " " + (typeof v === "string" ? v : inspect(v, options));
    return text;
  }
  const format = (...args) => formatWith({}, args);

  // formatOutput is how a script's console.log prints: text as it is, everything
  // else as JSON with two spaces, where what JSON lacks is shown and not lost.
  function formatOutput(...args) {
    return args.map(outputText).join(" ");
  }
  function outputText(v) {
    if (typeof v === "string") return v;
    if (typeof v === "bigint") return `${v}n`;
    if (v === undefined) return "undefined";
    const text = JSON.stringify(outputValue(v, []), null, 2);
    return text === undefined ? String(v) : text;
  }
  function outputValue(v, above) {
    switch (typeof v) {
      case "bigint":
        return `${v}n`;
      case "undefined":
        return "undefined";
      case "symbol":
        return v.toString();
      case "function":
        return { kind: "function", name: v.name, signature: `${v.name || "anonymous"}(${parameters(v)})`, description: "" };
    }
    if (v === null || typeof v !== "object") return v;
    if (above.includes(v)) return "[Circular]";
    if (v instanceof Date) return Number.isNaN(dateValue(v)) ? "Invalid Date" : v.toISOString();
    if (v instanceof RegExp) return String(v);
    if (v instanceof Error) return { name: v.name, message: v.message, stack: shared.cleanStack(`${v.name}`, `${v.message}`, `${v.stack}`) };
    if (typeof v.toJSON === "function") return outputValue(v.toJSON(), [...above, v]);
    const inside = [...above, v];
    if (Array.isArray(v)) return Array.from(v, (x) => outputValue(x, inside));
    return Object.fromEntries(Object.keys(v).map((k) => [k, outputValue(v[k], inside)]));
  }
  function parameters(fn) {
    const m = /^[^(]*\(([^)]*)\)/.exec(shared.functionText(fn)) || /^(?:async\s+)?([\w$]+)\s*=>/.exec(shared.functionText(fn));
    return m ? m[1].trim() : "";
  }

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

  Object.assign(shared, { received, inspect, format, formatWith, formatOutput, cleanStack: native.cleanStack });
})
