// node:crypto: random values and digests.
(function (native, shared) {
  const toBytes = (data, encoding) => {
    if (typeof data === "string") return Buffer.from(data, encoding);
    if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    if (shared.isBuffer(data)) return new Uint8Array(data);
    const error = new TypeError('The "data" argument must be of type string or an instance of Buffer, TypedArray, or DataView.');
    error.code = "ERR_INVALID_ARG_TYPE";
    throw error;
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
      if (this.#done) throw new Error("Digest already called");
      this.#parts.push(toBytes(data, encoding).slice());
      return this;
    }
    digest(encoding) {
      if (this.#done) throw new Error("Digest already called");
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
    const bytes = Buffer.from(native.randomBytes(n));
    if (typeof callback !== "function") return bytes;
    setTimeout(() => callback(null, bytes), 0);
  };
  return {
    randomUUID: web.randomUUID,
    getRandomValues: web.getRandomValues,
    webcrypto: web,
    randomBytes,
    randomInt(low, high) {
      if (high === undefined) [low, high] = [0, low];
      const span = high - low;
      if (!(Number.isSafeInteger(low) && Number.isSafeInteger(high) && span > 0 && span <= 2 ** 48)) throw new RangeError(`The value of "max" is out of range. It must be greater than the value of "min" (${low}). Received ${high}`);
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
      if (a.byteLength !== b.byteLength) throw new RangeError("Input buffers must have the same byte length");
      const x = toBytes(a);
      const y = toBytes(b);
      let diff = 0;
      for (let i = 0; i < x.length; i++) diff |= x[i] ^ y[i];
      return diff === 0;
    },
  };
})
