// node:util.
(function (native, shared) {
  const custom = Symbol.for("nodejs.util.promisify.custom");
  function promisify(fn) {
    if (typeof fn !== "function") throw new TypeError('The "original" argument must be of type function');
    if (fn[custom]) return fn[custom];
    return function (...args) {
      return new Promise((resolve, reject) => fn.call(this, ...args, (error, value) => (error ? reject(error) : resolve(value))));
    };
  }
  promisify.custom = custom;
  const callbackify = (fn) =>
    function (...args) {
      const callback = args.pop();
      fn.apply(this, args).then((v) => queueMicrotask(() => callback(null, v)), (e) => queueMicrotask(() => callback(e)));
    };
  const equal = (a, b, seen) => {
    if (Object.is(a, b)) return true;
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
    if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
    if (seen.some(([x, y]) => x === a && y === b)) return true;
    const inner = [...seen, [a, b]];
    if (shared.isMap(a)) {
      if (!shared.isMap(b) || a.size !== b.size) return false;
      for (const [k, v] of a) if (!b.has(k) || !equal(v, b.get(k), inner)) return false;
    } else if (shared.isSet(a)) {
      if (!shared.isSet(b) || a.size !== b.size) return false;
      for (const v of a) if (!b.has(v) && ![...b].some((x) => equal(v, x, inner))) return false;
    } else if (a instanceof Date) {
      if (!Object.is(a.getTime(), b.getTime())) return false;
    } else if (a instanceof RegExp) {
      if (String(a) !== String(b)) return false;
    } else if (a instanceof Error && (a.message !== b.message || a.name !== b.name)) return false;
    const keys = Object.keys(a);
    return keys.length === Object.keys(b).length && keys.every((k) => Object.prototype.hasOwnProperty.call(b, k) && equal(a[k], b[k], inner));
  };
  const types = {
    isMap: shared.isMap,
    isSet: shared.isSet,
    isPromise: shared.isPromise,
    isDate: (v) => typeof v === "object" && v !== null && shared.classOf(v) === "Date",
    isRegExp: (v) => v instanceof RegExp,
    isNativeError: (v) => v instanceof Error,
    isAnyArrayBuffer: (v) => typeof v === "object" && v !== null && shared.isBuffer(v),
    isArrayBuffer: (v) => typeof v === "object" && v !== null && shared.isBuffer(v),
    isTypedArray: (v) => ArrayBuffer.isView(v) && !(v instanceof DataView),
    isUint8Array: (v) => v instanceof Uint8Array,
    isAsyncFunction: (v) => typeof v === "function" && /^async\b/.test(shared.functionText(v)),
    isGeneratorFunction: (v) => typeof v === "function" && /^(async\s*)?(function\s*)?\*/.test(shared.functionText(v)),
    isBoxedPrimitive: (v) => typeof v === "object" && v !== null && shared.classOf(v) === "Boxed",
  };
  const web = native.module("web");
  return {
    promisify,
    callbackify,
    inspect: shared.inspect,
    format: shared.format,
    isDeepStrictEqual: (a, b) => equal(a, b, []),
    types,
    TextEncoder: web.TextEncoder,
    TextDecoder: web.TextDecoder,
    inherits(child, parent) {
      Object.setPrototypeOf(child.prototype, parent.prototype);
      child.super_ = parent;
    },
    deprecate: (fn) => fn,
    debuglog: () => Object.assign(() => {}, { enabled: false }),
    stripVTControlCharacters: (s) => `${s}`.replace(/[\u001b\u009b][[\]()#;?]*(?:\d{1,4}(?:;\d{0,4})*)?[\dA-PR-TZcf-nq-uy=><~]/g, ""),
    toUSVString: (s) => native.wellFormed(`${s}`),
    styleText: (style, text) => `${text}`,
    isArray: Array.isArray,
  };
})
