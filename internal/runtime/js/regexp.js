// RegExp for patterns that are made at run time: \p{..} is written out, as the
// compiler does it for literals, and flag v is taken where it means the same as u.
// It is a plain function: the engine's instanceof does not work with a proxy.
(function (native, shared) {
  const Native = globalThis.RegExp;
  const isRegExp = (v) => v !== null && typeof v === "object" && (v[Symbol.match] !== undefined ? !!v[Symbol.match] : v instanceof Native);
  // escapeSlashes writes a pattern as it stands between slashes.
  const escapeSlashes = (source) => {
    let out = "";
    let inClass = false;
    for (let i = 0; i < source.length; i++) {
      const c = source[i];
      if (c === "\\") {
        out += c + (source[++i] ?? "");
        continue;
      }
      if (c === "[") inClass = true;
      else if (c === "]") inClass = false;
      out += c === "/" && !inClass ? "\\/" : c === "\n" ? "\\n" : c === "\r" ? "\\r" : c;
    }
    return out;
  };
  function RegExp(pattern, flags) {
    const given = isRegExp(pattern);
    if (new.target === undefined && given && flags === undefined && pattern.constructor === RegExp) return pattern;
    const source = given ? pattern.source : pattern === undefined ? "" : `${pattern}`;
    let how = flags === undefined ? (given ? pattern.flags : "") : `${flags}`;
    let text = source;
    if (how.includes("v")) {
      if (/\[[^\]]*(?:--|&&|\[|\\q\{)/.test(source)) throw new SyntaxError(`Invalid regular expression: /${source}/${how}: set notation of flag v is not supported in node tools`);
      how = how.replace("v", "u");
    }
    if (how.includes("d")) throw new SyntaxError("Invalid flags: d (match indices) is not supported in node tools");
    if (/[um]/.test(how)) text = native.rewritePattern(source, how);
    let made;
    try {
      made = Reflect.construct(Native, [text, how], new.target === undefined || new.target === RegExp ? Native : new.target);
    } catch (error) {
      if (/^Invalid (regular|flags)/.test(error.message)) throw error;
      throw new SyntaxError(`Invalid regular expression: /${source}/${how}: ${error.message}`);
    }
    const shown = escapeSlashes(source);
    if (made.source !== shown && source !== "") native.showPattern(made.source, shown);
    return made;
  }
  Object.defineProperty(RegExp, "prototype", { value: Native.prototype, writable: false, enumerable: false, configurable: false });
  Object.defineProperty(RegExp, "length", { value: 2, configurable: true });
  Object.defineProperty(RegExp, Symbol.species, { get() { return this; }, configurable: true });
  Object.defineProperty(Native.prototype, "constructor", { value: RegExp, writable: true, configurable: true, enumerable: false });
  if (typeof Native.escape === "function") RegExp.escape = Native.escape;
  Object.defineProperty(globalThis, "RegExp", { value: RegExp, writable: true, configurable: true, enumerable: false });
})
