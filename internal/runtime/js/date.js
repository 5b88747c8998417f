// Date where the engine's differs from the language: years that need a sign are
// written with six digits, and a number as text is no date.
(function (native, shared) {
  const Native = globalThis.Date;
  const proto = Native.prototype;
  const { parse, UTC, now } = Native;
  const zero = "0".charCodeAt(0);
  const isoText = proto.toISOString;
  const define = (target, group) => {
    for (const name of Object.keys(group)) Object.defineProperty(target, name, { value: group[name], writable: true, configurable: true, enumerable: false });
  };
  const parseText = (text) => (text[4] !== "-" && /^\s*\d{7,}\s*$/.test(text) ? NaN : parse(text));
  // The usual ways of making one come first, without the cost of what all need.
  function Date(...args) {
    if (new.target === undefined) return new Native().toString();
    if (args.length === 0 && new.target === Date) return new Native();
    if (args.length === 1) {
      const v = args[0];
      const plain = typeof v === "object" && v !== null && !shared.holdsDate(v) ? toPrimitive(v) : v;
      const time = typeof plain === "string" ? parseText(plain) : plain;
      if (new.target === Date) return new Native(time);
      args[0] = time;
    }
    return Reflect.construct(Native, args, new.target === Date ? Native : new.target);
  }
  const toPrimitive = (v) => {
    const method = v[Symbol.toPrimitive];
    if (method !== undefined && method !== null) return method.call(v, "default");
    for (const name of ["valueOf", "toString"]) {
      if (typeof v[name] !== "function") continue;
      const made = v[name]();
      if (typeof made !== "object" || made === null) return made;
    }
    throw new TypeError("Cannot convert object to primitive value");
  };
  define(proto, {
    constructor: Date,
    toISOString() {
      const text = isoText.call(this);
      if (text.charCodeAt(0) >= zero) return text; // neither + nor - in front
      const m = /^([+-])0*(\d+)(-.*)$/.exec(text);
      return m ? `${m[1]}${m[2].padStart(6, "0")}${m[3]}` : text;
    },
    getYear() {
      return this.getFullYear() - 1900;
    },
    setYear(year) {
      const n = Number(year);
      return this.setFullYear(n >= 0 && n <= 99 ? 1900 + Math.trunc(n) : n);
    },
  });
  define(Date, { parse: (text) => parseText(`${text}`), UTC, now });
  Object.defineProperty(Date, "prototype", { value: proto, writable: false });
  Object.defineProperty(Date, "length", { value: 7, configurable: true });
  Object.defineProperty(globalThis, "Date", { value: Date, writable: true, configurable: true, enumerable: false });
})
