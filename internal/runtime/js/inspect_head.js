// What inspect shows of a value besides its members: how it is opened and closed,
// and what is in it.
(function (native, shared) {
  const { isMap, isSet, isPromise, isBuffer, dateValue } = shared;
  const tagOf = (v) => Object.prototype.toString.call(v).slice(8, -1);
  // label names a value of a built-in class: its own class, the size, and the
  // built-in class where it is another.
  const label = (name, tag, size = "") => (name === null ? `[${tag}${size}: null prototype]` : `${name}${size}${name === tag ? "" : ` [${tag}]`}`);

  const subclass = (name, base) => (name === base ? "" : name === null ? `[${base}: null prototype] ` : `${name} `);

  const functionHead = (p, fn) => {
    const text = shared.functionText(fn);
    const name = typeof fn.name === "string" ? fn.name : "";
    if (/^class\b/.test(text)) {
      const parent = Object.getPrototypeOf(fn);
      return p.style(`[class ${name || "(anonymous)"}${parent && parent.name ? ` extends ${parent.name}` : parent === null ? " extends null" : ""}]`, "special");
    }
    const lowered = /\b__asyncGenerator\(/.test(text);
    const kind = lowered || /^async\s*(function\s*)?\*/.test(text) ? "AsyncGeneratorFunction" : /^async\b/.test(text) ? "AsyncFunction" : /^(function\s*)?\*/.test(text) ? "GeneratorFunction" : "Function";
    return p.style(`[${kind}${name ? `: ${name}` : " (anonymous)"}]`, "special");
  };

  // errorHead shows the stack. Where the error has another name than its class, and
  // one that ends in Error, the class stands in front.
  const errorHead = (e, name, level) => {
    if (typeof e.stack !== "string" || e.stack === "") return { whole: `[${e}]` };
    const shown = `${e.name}`;
    const title = !name || name === shown || !shown.endsWith("Error") ? shown : name.includes(shown) ? name : `${name} [${shown}]`;
    const stack = e.stack.includes("\tat ") ? shared.cleanStack(title, `${e.message}`, e.stack) : e.stack.trimEnd();
    const whole = stack.includes("\n    at ") ? stack : `[${stack}]`;
    return { whole: whole.replaceAll("\n", "\n" + " ".repeat(2 * level)) };
  };

  const elements = (p, v) => (level) => {
    const out = [];
    let i = 0;
    for (let shown = 0; i < v.length && shown < p.maxArrayLength; shown++) {
      if (i in v) {
        out.push(p.print(v[i++], level));
        continue;
      }
      const from = i;
      while (i < v.length && !(i in v)) i++;
      out.push(p.style(`<${i - from} empty item${i - from > 1 ? "s" : ""}>`, "undefined"));
    }
    if (i < v.length) out.push(`... ${v.length - i} more item${v.length - i > 1 ? "s" : ""}`);
    return out;
  };
  const entries = (p, list, show) => (level) => {
    const out = list.slice(0, p.maxArrayLength).map((x) => show(x, level));
    if (list.length > out.length) out.push(`... ${list.length - out.length} more item${list.length - out.length > 1 ? "s" : ""}`);
    return out;
  };
  const hex = (bytes, most) => `<${Array.from(bytes.slice(0, most), (b) => b.toString(16).padStart(2, "0")).join(" ")}${bytes.length > most ? ` ... ${bytes.length - most} more byte${bytes.length > most + 1 ? "s" : ""}` : ""}>`;
  const braced = (label, items, length) => ({ open: `${label} {`, close: "}", items, length });

  const promiseItems = (p, v) => (level) => {
    const [state, value] = native.promiseState(v);
    if (state === "pending") return [p.style("<pending>", "special")];
    return [state === "rejected" ? `${p.style("<rejected>", "special")} ${p.print(value, level)}` : p.print(value, level)];
  };
  const bytesHead = (p, v, name, tag) => {
    if (isBuffer(v)) {
      return braced(label(name, tag), (level) => [`[Uint8Contents]: ${hex(new Uint8Array(v), p.maxArrayLength)}`, `[byteLength]: ${p.print(v.byteLength, level)}`]);
    }
    if (v.length === undefined) {
      return braced(label(name, tag), (level) => [`[byteLength]: ${p.print(v.byteLength, level)}`, `[byteOffset]: ${p.print(v.byteOffset, level)}`, `[buffer]: ${p.print(v.buffer, level)}`]);
    }
    if (name === "Buffer") return { whole: `<Buffer${v.length ? " " : ""}${hex(v, 50).slice(1)}`, indexed: true };
    return { open: `${label(name, tag, `(${v.length})`)} [`, close: "]", indexed: true, length: v.length, items: elements(p, v) };
  };

  shared.inspectHead = (p, v, name, level) => {
    if (Array.isArray(v)) {
      const prefix = name === "Array" ? "" : name === null ? `[Array(${v.length}): null prototype] ` : `${name}(${v.length}) `;
      return { open: `${prefix}[`, close: "]", indexed: true, length: v.length, items: elements(p, v) };
    }
    if (typeof v === "function") return { whole: functionHead(p, v) };
    switch (shared.classOf(v)) {
      case "Error": {
        const extra = [];
        for (const key of ["cause", "errors"]) {
          const found = Object.getOwnPropertyDescriptor(v, key);
          if (found && !found.enumerable) extra.push([key, found.value]);
        }
        return { ...errorHead(v, name, level), hide: ["stack", "message", "name"], extra: extra.length > 0 ? extra : undefined };
      }
      case "Date":
        return { whole: subclass(name, "Date") + p.style(Number.isNaN(dateValue(v)) ? "Invalid Date" : Date.prototype.toISOString.call(v), "date") };
      case "RegExp":
        return { whole: subclass(name, "RegExp") + p.style(RegExp.prototype.toString.call(v), "regexp"), hide: ["lastIndex"] };
      case "Boxed":
      case "Symbol": {
        const value = v.valueOf();
        const kind = (typeof value)[0].toUpperCase() + (typeof value).slice(1);
        return { whole: p.style(`[${kind === "Bigint" ? "BigInt" : kind}: ${new p.constructor({ maxStringLength: null }).print(value, 0)}]`, typeof value), indexed: typeof value === "string", hide: ["length"] };
      }
      case "Map":
      case "Set": {
        const kind = isMap(v) ? "Map" : "Set";
        const list = shared.listOf(v);
        const show = kind === "Map" ? ([k, x], inner) => `${p.print(k, inner)} => ${p.print(x, inner)}` : (x, inner) => p.print(x, inner);
        return braced(label(name, kind, `(${list.length})`), entries(p, list, show), list.length);
      }
      case "Promise":
        return braced(label(name, "Promise"), promiseItems(p, v));
      case "Bytes":
        return bytesHead(p, v, name, tagOf(v));
      case "WeakMap":
      case "WeakSet":
        return braced(label(name, tagOf(v)), () => [p.style("<items unknown>", "special")]);
    }
    if (!isPromise(v) && !isMap(v) && !isSet(v) && tagOf(v) === "Arguments") return { open: "[Arguments] {", close: "}", length: v.length ? undefined : 0 };
    const tag = Object.prototype.propertyIsEnumerable.call(v, Symbol.toStringTag) ? "Object" : tagOf(v);
    const prefix = name === null ? "[Object: null prototype] " : name === "Object" ? (tag === "Object" ? "" : `Object [${tag}] `) : tag !== name && tag !== "Object" ? `${name} [${tag}] ` : `${name} `;
    return { open: `${prefix}{`, close: "}", length: 0 };
  };
})
