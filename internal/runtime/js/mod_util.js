// node:util.
(function (native, shared) {
  const custom = Symbol.for("nodejs.util.promisify.custom");
  const invalid = (name, type, v) => Object.assign(new TypeError(`The "${name}" argument must be of type ${type}. Received ${shared.received(v)}`), { code: "ERR_INVALID_ARG_TYPE" });
  function promisify(fn) {
    if (typeof fn !== "function") throw invalid("original", "function", fn);
    if (fn[custom]) return fn[custom];
    return function (...args) {
      return new Promise((resolve, reject) => fn.call(this, ...args, (error, value) => (error ? reject(error) : resolve(value))));
    };
  }
  promisify.custom = custom;
  const callbackify = (fn) =>
    function (...args) {
      const callback = args.pop();
      const falsy = (reason) => Object.assign(new Error("Promise was rejected with falsy value"), { code: "ERR_FALSY_VALUE_REJECTION", reason });
      fn.apply(this, args).then((v) => process.nextTick(callback, null, v), (e) => process.nextTick(callback, e || falsy(e)));
    };
  const own = Object.prototype.hasOwnProperty;
  const tagOf = (v) => Object.prototype.toString.call(v);
  const membersOf = (v) => [...Object.keys(v), ...Object.getOwnPropertySymbols(v).filter((k) => Object.prototype.propertyIsEnumerable.call(v, k))];
  // equalInside compares what members do not show; a and b are of one class.
  const equalInside = (a, b, inner) => {
    const same = (x, y) => equal(x, y, inner);
    const unmatched = (list, x) => {
      const at = list.findIndex((y) => same(x, y));
      if (at >= 0) list.splice(at, 1);
      return at < 0;
    };
    switch (shared.classOf(a)) {
      case "Map": {
        if (a.size !== b.size) return false;
        const rest = [...b].filter(([k]) => typeof k === "object" && k !== null && !a.has(k));
        for (const [k, v] of a) {
          if (b.has(k) ? !same(v, b.get(k)) : typeof k !== "object" || k === null || unmatched(rest, [k, v])) return false;
        }
        return true;
      }
      case "Set": {
        if (a.size !== b.size) return false;
        const rest = [...b].filter((v) => typeof v === "object" && v !== null && !a.has(v));
        for (const v of a) if (!b.has(v) && (typeof v !== "object" || v === null || unmatched(rest, v))) return false;
        return true;
      }
      case "Date":
        return Object.is(a.getTime(), b.getTime());
      case "RegExp":
        return String(a) === String(b) && a.lastIndex === b.lastIndex;
      case "Error":
        return a.message === b.message && a.name === b.name && same(a.cause, b.cause) && same(a.errors, b.errors);
      case "Boxed":
      case "Symbol":
        return Object.is(a.valueOf(), b.valueOf());
      case "Bytes": {
        const x = shared.numbersOf(a);
        const y = shared.numbersOf(b);
        return x.length === y.length && x.every((n, i) => Object.is(n, y[i]));
      }
      case "Promise":
      case "WeakMap":
      case "WeakSet":
      case "WeakRef":
        return false; // nothing of them can be seen
    }
    return true;
  };
  const equal = (a, b, seen) => {
    if (Object.is(a, b)) return true;
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
    if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b) || tagOf(a) !== tagOf(b) || Array.isArray(a) !== Array.isArray(b)) return false;
    if (seen.some(([x, y]) => x === a && y === b)) return true;
    if (shared.classOf(a) !== shared.classOf(b) || (Array.isArray(a) && a.length !== b.length)) return false;
    const inner = [...seen, [a, b]];
    if (!equalInside(a, b, inner)) return false;
    if (ArrayBuffer.isView(a)) return true;
    const keys = membersOf(a);
    return keys.length === membersOf(b).length && keys.every((k) => own.call(b, k) && equal(a[k], b[k], inner));
  };
  const object = (v) => typeof v === "object" && v !== null;
  const boxed = (Class) => (v) => object(v) && ["Boxed", "Symbol"].includes(shared.classOf(v)) && typeof v.valueOf() === Class;
  const ofClass = (name) => (v) => object(v) && shared.classOf(v) === name;
  const tagged = (tag) => (v) => object(v) && tagOf(v) === `[object ${tag}]`;
  const view = (Class) => (v) => ArrayBuffer.isView(v) && v instanceof Class;
  const functionOf = (pattern) => (v) => typeof v === "function" && pattern.test(shared.functionText(v));
  const types = {
    isMap: (v) => object(v) && shared.isMap(v),
    isSet: (v) => object(v) && shared.isSet(v),
    isPromise: (v) => object(v) && shared.isPromise(v),
    isDate: ofClass("Date"),
    isRegExp: ofClass("RegExp"),
    isWeakMap: ofClass("WeakMap"),
    isWeakSet: ofClass("WeakSet"),
    isNativeError: (v) => object(v) && shared.classOf(v) === "Error",
    isAnyArrayBuffer: (v) => object(v) && shared.isBuffer(v),
    isArrayBuffer: (v) => object(v) && shared.isBuffer(v),
    isSharedArrayBuffer: () => false,
    isArrayBufferView: (v) => ArrayBuffer.isView(v),
    isDataView: view(DataView),
    isTypedArray: (v) => ArrayBuffer.isView(v) && !(v instanceof DataView),
    isAsyncFunction: functionOf(/^async\b/),
    isGeneratorFunction: functionOf(/^(async\s*)?(function\s*)?\*/),
    isGeneratorObject: tagged("Generator"),
    isMapIterator: tagged("Map Iterator"),
    isSetIterator: tagged("Set Iterator"),
    isArgumentsObject: tagged("Arguments"),
    isBoxedPrimitive: (v) => object(v) && ["Boxed", "Symbol"].includes(shared.classOf(v)),
    isNumberObject: boxed("number"),
    isStringObject: boxed("string"),
    isBooleanObject: boxed("boolean"),
    isBigIntObject: boxed("bigint"),
    isSymbolObject: boxed("symbol"),
    isExternal: () => false,
    isProxy: (v) => native.isProxy(v),
    isModuleNamespaceObject: () => false,
    isCryptoKey: () => false,
    isKeyObject: () => false,
  };
  for (const Class of [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array]) types[`is${Class.name}`] = view(Class);
  const quiet = () => Object.assign(() => {}, { enabled: false });
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
    formatWithOptions: (options, ...args) => shared.formatWith(options, args),
    parseArgs: (config) => shared.parseArgs(config),
    deprecate: (fn) => fn,
    debuglog: quiet,
    debug: quiet,
    stripVTControlCharacters: (s) => `${s}`.replace(/[\u001b\u009b][[\]()#;?]*(?:\d{1,4}(?:;\d{0,4})*)?[\dA-PR-TZcf-nq-uy=><~]/g, ""),
    toUSVString: (s) => native.wellFormed(`${s}`),
    styleText: (style, text) => `${text}`,
    isArray: Array.isArray,
  };
})
