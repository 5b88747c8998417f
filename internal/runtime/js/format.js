// How console.log joins its arguments: for logs as Node does, and for the output of
// a script.
(function (native, shared) {
  const { inspect, dateValue } = shared;
  const number = (n) => (Object.is(n, -0) ? "-0" : String(n));

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
        return outputFunction(v);
    }
    if (v === null || typeof v !== "object") return v;
    if (above.includes(v)) return "[Circular]";
    if (v instanceof Date) return Number.isNaN(dateValue(v)) ? "Invalid Date" : v.toISOString();
    if (v instanceof RegExp) return String(v);
    if (v instanceof Error) return { name: v.name, message: v.message, stack: shared.cleanStack(`${v.name}`, `${v.message}`, `${v.stack}`) };
    if (typeof v.toJSON === "function") return outputValue(v.toJSON(), [...above, v]);
    const inside = [...above, v];
    if (Array.isArray(v)) return Array.from(v, (x, i) => (i in v ? outputValue(x, inside) : null));
    return Object.fromEntries(Object.keys(v).map((k) => [k, outputValue(v[k], inside)]));
  }
  // A helper is shown with its help, any other function with how it is called.
  function outputFunction(fn) {
    const help = shared.explain && shared.explain(fn);
    if (!help) return { kind: "function", name: fn.name || "anonymous", signature: `${fn.name || "anonymous"}(${parameters(fn)})`, description: "" };
    const lines = help.text.split("\n");
    const forms = lines.filter((line) => line.startsWith(help.name + "("));
    const description = lines.slice(forms.length).join("\n");
    return { kind: "function", name: help.name.slice(help.name.lastIndexOf(".") + 1), signature: forms.join("\n"), description };
  }
  function parameters(fn) {
    const m = /^[^(]*\(([^)]*)\)/.exec(shared.functionText(fn)) || /^(?:async\s+)?([\w$]+)\s*=>/.exec(shared.functionText(fn));
    return m ? m[1].trim() : "";
  }

  Object.assign(shared, { format, formatWith, formatOutput });
})
