// node:buffer: goja_nodejs's Buffer, completed.
(function (native, shared) {
  const { Buffer } = native.nodejs("buffer");
  const proto = Buffer.prototype;
  const add = (target, group) => {
    for (const name of Object.keys(group)) if (!Object.prototype.hasOwnProperty.call(target, name)) Object.defineProperty(target, name, { value: group[name], writable: true, configurable: true, enumerable: false });
  };
  const encodings = ["utf8", "utf-8", "hex", "base64", "base64url", "latin1", "binary", "ascii", "utf16le", "utf-16le", "ucs2", "ucs-2"];
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
