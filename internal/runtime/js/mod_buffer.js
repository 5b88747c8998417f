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
    latin1: { decode: (s) => new Uint8Array(native.latin1Bytes(s)), encode: (b) => native.latin1Text(Uint8Array.prototype.slice.call(new Uint8Array(b.buffer, b.byteOffset, b.length)).buffer) },
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
    // What is not of the alphabet does not count, and "=" ends the text.
    base64: {
      decode: (s) => {
        const end = s.indexOf("=");
        const text = (end < 0 ? s : s.slice(0, end)).replace(/[^A-Za-z0-9+/_-]+/g, "").replaceAll("-", "+").replaceAll("_", "/");
        return base.from.call(Buffer, text.length % 4 === 1 ? text.slice(0, -1) : text, "base64");
      },
      encode: (b) => base.toString.call(b, "base64"),
    },
    base64url: {
      decode: (s) => own.base64.decode(s),
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
  const base = { from: Buffer.from, toString: proto.toString, alloc: Buffer.alloc };
  const put = (target, name, value) => Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });
  put(Buffer, "from", function from(v, encoding, length) {
    if (typeof v !== "string") {
      if (v instanceof String) return Buffer.from(v.valueOf(), encoding);
      if (v && typeof v === "object" && v.type === "Buffer" && Array.isArray(v.data)) return base.from.call(Buffer, v.data);
      return base.from.call(Buffer, v, encoding, length);
    }
    const name = nameOf(encoding);
    return name in own ? base.from.call(Buffer, own[name].decode(v).slice().buffer) : base.from.call(Buffer, v, name);
  });
  put(proto, "toString", function toString(encoding, start, end) {
    const name = nameOf(encoding);
    const part = start === undefined && end === undefined ? this : this.subarray(Math.max(Math.trunc(start) || 0, 0), end);
    return name in own ? own[name].encode(part) : base.toString.call(part, name);
  });
  put(Buffer, "alloc", function alloc(size, value, encoding) {
    const made = base.alloc.call(Buffer, size);
    return value === undefined || value === 0 ? made : made.fill(value, encoding);
  });
  put(proto, "fill", function fill(value, from, to, encoding) {
    if (typeof from === "string") [encoding, from, to] = [from, undefined, undefined];
    else if (typeof to === "string") [encoding, to] = [to, undefined];
    const end = to === undefined ? this.length : checkedOffset(to, "end", this.length);
    const start = from === undefined ? 0 : checkedOffset(from, "offset", Number.MAX_SAFE_INTEGER);
    const unit = typeof value === "string" ? Buffer.from(value, encoding) : ArrayBuffer.isView(value) ? value : [Number(value) & 255];
    if (unit.length === 0) {
      if (typeof value === "string" && value === "") return this.fill(0, start, end);
      const error = new TypeError(`The argument 'value' is invalid. Received ${shared.inspect(value)}`);
      error.code = "ERR_INVALID_ARG_VALUE";
      throw error;
    }
    const whole = Math.max(end - start, 0);
    let done = Math.min(unit.length, whole);
    for (let i = 0; i < done; i++) this[start + i] = unit[i];
    // What is there twice is copied, then four times, and so on.
    for (let size = done; done < whole; done += size) {
      size = Math.min(done, whole - done);
      this.copyWithin(start + done, start, start + size);
    }
    return this;
  });
  // write takes (text, encoding), (text, offset, encoding) or all four; it writes
  // whole characters only.
  put(proto, "write", function write(text, offset, length, encoding) {
    if (typeof offset === "string") [encoding, offset, length] = [offset, undefined, undefined];
    else if (typeof length === "string") [encoding, length] = [length, undefined];
    const start = offset === undefined ? 0 : checkedOffset(offset, "offset", this.length);
    const room = Math.min(length === undefined ? this.length : length, this.length - start);
    const bytes = Buffer.from(`${text}`, encoding);
    let n = Math.min(bytes.length, room);
    const name = nameOf(encoding);
    if (name === "utf8" && n < bytes.length) while (n > 0 && (bytes[n] & 0xc0) === 0x80) n--;
    if (own[name] === own.utf16le) n -= n % 2;
    this.set(bytes.subarray(0, n), start);
    return n;
  });
  const checkedOffset = (n, name, most) => {
    if (Number.isInteger(n) && n >= 0 && n <= most) return n;
    const error = typeof n === "number" ? new RangeError(`The value of "${name}" is out of range. It must be >= 0 && <= ${most}. Received ${n}`) : new TypeError(`The "${name}" argument must be of type number. Received ${shared.inspect(n)}`);
    error.code = typeof n === "number" ? "ERR_OUT_OF_RANGE" : "ERR_INVALID_ARG_TYPE";
    throw error;
  };
  const swap = (b, size) => {
    if (b.length % size !== 0) {
      const error = new RangeError(`Buffer size must be a multiple of ${size * 8}-bits`);
      error.code = "ERR_INVALID_BUFFER_SIZE";
      throw error;
    }
    for (let i = 0; i < b.length; i += size) b.subarray(i, i + size).reverse();
    return b;
  };
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
      return swap(this, 2);
    },
    swap32() {
      return swap(this, 4);
    },
    swap64() {
      return swap(this, 8);
    },
    toLocaleString(encoding) {
      return this.toString(encoding);
    },
  });
  // What map() and filter() make: the constructor below takes no lengths.
  const species = function (first, ...rest) {
    return typeof first === "number" ? Buffer.alloc(first) : Buffer.from(first, ...rest);
  };
  Object.defineProperty(Buffer, Symbol.species, { get: () => species, configurable: true });
  put(Buffer, "poolSize", 8192);
  const web = native.module("web");
  const isUtf8 = (bytes) => native.validText(Uint8Array.from(bytesOf(bytes)).buffer, "utf-8");
  const isAscii = (bytes) => Uint8Array.from(bytesOf(bytes)).every((b) => b < 128);
  return { Buffer, isUtf8, isAscii, atob: web.atob, btoa: web.btoa, constants: { MAX_LENGTH: 2 ** 32, MAX_STRING_LENGTH: 2 ** 29 - 24 }, kMaxLength: 2 ** 32, kStringMaxLength: 2 ** 29 - 24 };
})
