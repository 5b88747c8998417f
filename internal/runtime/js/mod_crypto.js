// node:crypto: random values and digests.
(function (native, shared) {
  const coded = (Class, code, message) => Object.assign(new Class(message), { code });
  const toBytes = (data, encoding) => {
    if (typeof data === "string") return Buffer.from(data, encoding);
    if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    if (shared.isBuffer(data)) return new Uint8Array(data);
    throw coded(TypeError, "ERR_INVALID_ARG_TYPE", `The "data" argument must be of type string or an instance of Buffer, TypedArray, or DataView. Received ${shared.received(data)}`);
  };
  class Digest {
    #name;
    #key;
    #parts = [];
    #done = false;
    constructor(name, key) {
      this.#name = `${name}`.toLowerCase().replace(/^sha-/, "sha");
      if (!native.digests.includes(this.#name)) throw new Error("Digest method not supported");
      this.#key = key;
    }
    update(data, encoding) {
      if (this.#done) throw coded(Error, "ERR_CRYPTO_HASH_FINALIZED", "Digest already called");
      this.#parts.push(toBytes(data, encoding).slice());
      return this;
    }
    copy() {
      if (this.#done) throw coded(Error, "ERR_CRYPTO_HASH_FINALIZED", "Digest already called");
      const made = new Digest(this.#name, this.#key);
      made.#parts = [...this.#parts];
      return made;
    }
    digest(encoding) {
      if (this.#done) throw coded(Error, "ERR_CRYPTO_HASH_FINALIZED", "Digest already called");
      this.#done = true;
      const all = new Uint8Array(this.#parts.reduce((n, p) => n + p.length, 0));
      let at = 0;
      for (const p of this.#parts) {
        all.set(p, at);
        at += p.length;
      }
      const hex = native.digest(this.#name, this.#key, all.buffer);
      if (encoding === "hex") return hex;
      const bytes = Buffer.from(hex, "hex");
      return encoding === undefined || encoding === "buffer" ? bytes : bytes.toString(encoding);
    }
  }
  const web = native.module("web").crypto;
  const randomBytes = (n, callback) => {
    if (typeof n !== "number") throw coded(TypeError, "ERR_INVALID_ARG_TYPE", `The "size" argument must be of type number. Received ${shared.received(n)}`);
    if (!(n >= 0 && n < 2 ** 31)) throw coded(RangeError, "ERR_OUT_OF_RANGE", `The value of "size" is out of range. It must be >= 0 && <= 2147483647. Received ${n}`);
    const bytes = Buffer.from(native.randomBytes(n));
    if (typeof callback !== "function") return bytes;
    setTimeout(() => callback(null, bytes), 0);
  };
  const randomFillSync = (view, from = 0, size = view.byteLength - from) => {
    new Uint8Array(view.buffer || view, (view.byteOffset || 0) + from, size).set(new Uint8Array(native.randomBytes(size)));
    return view;
  };
  return {
    randomUUID: web.randomUUID,
    getRandomValues: web.getRandomValues,
    webcrypto: web,
    subtle: web.subtle,
    randomBytes,
    randomFillSync,
    randomFill(view, ...rest) {
      const callback = rest.pop();
      randomFillSync(view, ...rest);
      setTimeout(() => callback(null, view), 0);
    },
    randomInt(low, high, callback) {
      if (typeof high === "function") [high, callback] = [undefined, high];
      if (typeof callback === "function") {
        const n = this.randomInt(low, high);
        setTimeout(() => callback(null, n), 0);
        return undefined;
      }
      if (high === undefined) [low, high] = [0, low];
      const span = high - low;
      if (!(Number.isSafeInteger(low) && Number.isSafeInteger(high) && span > 0 && span <= 2 ** 48)) throw coded(RangeError, "ERR_OUT_OF_RANGE", `The value of "max" is out of range. It must be greater than the value of "min" (${low}). Received ${high}`);
      const most = 2 ** 48 - (2 ** 48 % span);
      for (;;) {
        const b = new Uint8Array(native.randomBytes(6));
        const n = b.reduce((sum, x) => sum * 256 + x, 0);
        if (n < most) return low + (n % span);
      }
    },
    createHash: (name) => new Digest(name),
    createHmac(name, key) {
      return new Digest(name, toBytes(key).slice().buffer);
    },
    hash: (name, data, encoding = "hex") => new Digest(name).update(data).digest(encoding),
    getHashes: () => [...native.digests],
    timingSafeEqual(a, b) {
      if (a.byteLength !== b.byteLength) throw coded(RangeError, "ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH", "Input buffers must have the same byte length");
      const x = toBytes(a);
      const y = toBytes(b);
      let diff = 0;
      for (let i = 0; i < x.length; i++) diff |= x[i] ^ y[i];
      return diff === 0;
    },
  };
})
