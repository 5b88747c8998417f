// node:buffer: goja_nodejs's Buffer, completed.
(function (native, shared) {
  const { Buffer } = native.nodejs("buffer");
  const proto = Buffer.prototype;
  const add = (target, group) => {
    for (const name of Object.keys(group)) if (!Object.prototype.hasOwnProperty.call(target, name)) Object.defineProperty(target, name, { value: group[name], writable: true, configurable: true, enumerable: false });
  };
  const encodings = ["utf8", "utf-8", "hex", "base64", "base64url", "latin1", "binary", "ascii", "utf16le", "utf-16le", "ucs2", "ucs-2"];
  // The encodings that the module below does not know.
  const own = {
    latin1: { decode: (s) => new Uint8Array(Array.from({ length: s.length }, (_, i) => s.charCodeAt(i) & 255)), encode: (b) => Array.from(b, (x) => String.fromCharCode(x)).join("") },
    utf16le: {
      decode: (s) => {
        const b = new Uint8Array(s.length * 2);
        for (let i = 0; i < s.length; i++) {
          b[2 * i] = s.charCodeAt(i) & 255;
          b[2 * i + 1] = s.charCodeAt(i) >> 8;
        }
        return b;
      },
      encode: (b) => {
        const s = [];
        for (let i = 0; i + 1 < b.length; i += 2) s.push(String.fromCharCode(b[i] | (b[i + 1] << 8)));
        return s.join("");
      },
    },
    base64url: {
      decode: (s) => Buffer.from(s.replaceAll("-", "+").replaceAll("_", "/"), "base64"),
      encode: (b) => b.toString("base64").replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""),
    },
    ascii: { decode: (s) => own.latin1.decode(s), encode: (b) => Array.from(b, (x) => String.fromCharCode(x & 127)).join("") },
  };
  own.binary = own.latin1;
  for (const name of ["utf-16le", "ucs2", "ucs-2"]) own[name] = own.utf16le;
  const nameOf = (encoding) => {
    const name = encoding === undefined || encoding === null ? "utf8" : `${encoding}`.toLowerCase();
    if (!encodings.includes(name)) {
      const error = new TypeError(`Unknown encoding: ${encoding}`);
      error.code = "ERR_UNKNOWN_ENCODING";
      throw error;
    }
    return name === "utf-8" ? "utf8" : name;
  };
  const base = { from: Buffer.from, toString: proto.toString };
  const put = (target, name, value) => Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });
  put(Buffer, "from", function from(v, encoding, length) {
    if (typeof v !== "string") {
      if (v && typeof v === "object" && v.type === "Buffer" && Array.isArray(v.data)) return base.from.call(Buffer, v.data);
      return base.from.call(Buffer, v, encoding, length);
    }
    const name = nameOf(encoding);
    return name in own ? base.from.call(Buffer, own[name].decode(v).slice().buffer) : base.from.call(Buffer, v, name);
  });
  put(proto, "toString", function toString(encoding, start, end) {
    const name = nameOf(encoding);
    const part = start === undefined && end === undefined ? this : this.subarray(start, end);
    return name in own ? own[name].encode(part) : base.toString.call(part, name);
  });
  Object.defineProperty(Buffer, "name", { value: "Buffer", configurable: true });
  const view = (b, start, end) => Buffer.from(b.buffer, b.byteOffset + start, end - start);
  const bytesOf = (v, encoding) => (typeof v === "string" ? Buffer.from(v, encoding) : v);
  const range = (length, start, end) => {
    const clamp = (n, otherwise) => {
      n = n === undefined ? otherwise : Math.trunc(Number(n)) || 0;
      return n < 0 ? Math.max(length + n, 0) : Math.min(n, length);
    };
    const from = clamp(start, 0);
    return [from, Math.max(clamp(end, length), from)];
  };
  const indexIn = (b, needle, from, step) => {
    for (let i = from; i >= 0 && i + needle.length <= b.length; i += step) {
      let k = 0;
      while (k < needle.length && b[i + k] === needle[k]) k++;
      if (k === needle.length) return i;
    }
    return -1;
  };
  const needleOf = (v, encoding) => (typeof v === "number" ? [v & 255] : bytesOf(v, encoding));
  add(Buffer, {
    isBuffer: (v) => v instanceof Buffer,
    isEncoding: (name) => typeof name === "string" && encodings.includes(name.toLowerCase()),
    byteLength: (v, encoding) => (typeof v === "string" ? Buffer.from(v, encoding).length : v.byteLength),
    compare(a, b) {
      const n = Math.min(a.length, b.length);
      for (let i = 0; i < n; i++) if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1;
      return Math.sign(a.length - b.length);
    },
    allocUnsafe: (n) => Buffer.alloc(n),
    allocUnsafeSlow: (n) => Buffer.alloc(n),
    of: (...bytes) => Buffer.from(bytes),
  });
  add(proto, {
    subarray(start, end) {
      const [a, b] = range(this.length, start, end);
      return view(this, a, b);
    },
    slice(start, end) {
      return this.subarray(start, end);
    },
    compare(other) {
      return Buffer.compare(this, other);
    },
    copy(target, at = 0, start = 0, end = this.length) {
      const part = this.subarray(start, Math.min(end, start + target.length - at));
      target.set(part, at);
      return part.length;
    },
    indexOf(v, from = 0, encoding) {
      if (typeof from === "string") [from, encoding] = [0, from];
      return indexIn(this, needleOf(v, encoding), range(this.length, from)[0], 1);
    },
    lastIndexOf(v, from = this.length, encoding) {
      if (typeof from === "string") [from, encoding] = [this.length, from];
      const needle = needleOf(v, encoding);
      return indexIn(this, needle, Math.min(range(this.length, from)[0], this.length - needle.length), -1);
    },
    includes(v, from, encoding) {
      return this.indexOf(v, from, encoding) >= 0;
    },
    toJSON() {
      return { type: "Buffer", data: Array.from(this) };
    },
    swap16() {
      for (let i = 0; i + 1 < this.length; i += 2) [this[i], this[i + 1]] = [this[i + 1], this[i]];
      return this;
    },
    toLocaleString(encoding) {
      return this.toString(encoding);
    },
  });
  const web = native.module("web");
  return { Buffer, atob: web.atob, btoa: web.btoa, constants: { MAX_LENGTH: 2 ** 32, MAX_STRING_LENGTH: 2 ** 29 - 24 }, kMaxLength: 2 ** 32 };
})
