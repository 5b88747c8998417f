// Globals that Node shares with browsers and that are made at their first use.
(function (native, shared) {
  const invalidArgument = (message, code = "ERR_INVALID_ARG_TYPE") => Object.assign(new TypeError(message), { code });

  // text codecs
  const bytesOf = (source) => {
    if (source === undefined) return new Uint8Array(0);
    if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
    if (shared.isBuffer(source)) return new Uint8Array(source);
    throw invalidArgument('The "list" argument must be an instance of SharedArrayBuffer, ArrayBuffer or ArrayBufferView.');
  };
  class TextEncoder {
    get encoding() {
      return "utf-8";
    }
    encode(text = "") {
      return new Uint8Array(native.utf8Encode(`${text}`));
    }
    encodeInto(text, target) {
      text = `${text}`;
      const bytes = new Uint8Array(native.utf8Encode(text));
      let written = bytes.length;
      if (written > target.length) {
        written = target.length;
        while (written > 0 && (bytes[written] & 0xc0) === 0x80) written--; // whole characters only
      }
      const fits = bytes.slice(0, written);
      target.set(fits);
      return { read: written === bytes.length ? text.length : native.decodeText(fits.buffer, "utf-8").length, written };
    }
  }
  class TextDecoder {
    #encoding;
    #fatal;
    #ignoreBOM;
    #pending = new Uint8Array(0);
    #started = false;
    constructor(label = "utf-8", options = {}) {
      this.#encoding = native.encodingName(`${label}`);
      if (this.#encoding === "") {
        const error = new RangeError(`The "${label}" encoding is not supported`);
        error.code = "ERR_ENCODING_NOT_SUPPORTED";
        throw error;
      }
      this.#fatal = !!options.fatal;
      this.#ignoreBOM = !!options.ignoreBOM;
    }
    get encoding() {
      return this.#encoding;
    }
    get fatal() {
      return this.#fatal;
    }
    get ignoreBOM() {
      return this.#ignoreBOM;
    }
    decode(source, options = {}) {
      let bytes = bytesOf(source);
      if (this.#pending.length > 0) {
        const joined = new Uint8Array(this.#pending.length + bytes.length);
        joined.set(this.#pending);
        joined.set(bytes, this.#pending.length);
        bytes = joined;
      }
      this.#pending = new Uint8Array(0);
      if (options.stream) {
        if (this.#encoding === "iso-2022-jp") throw new RangeError("iso-2022-jp in parts is not supported in node tools: decode it whole");
        const keep = native.incompleteTail(bytes.slice().buffer, this.#encoding);
        if (keep > 0) {
          this.#pending = bytes.slice(bytes.length - keep);
          bytes = bytes.subarray(0, bytes.length - keep);
        }
      }
      const copy = bytes.slice().buffer;
      if (this.#fatal && !native.validText(copy, this.#encoding)) {
        const error = new TypeError("The encoded data was not valid for encoding " + this.#encoding);
        error.code = "ERR_ENCODING_INVALID_ENCODED_DATA";
        throw error;
      }
      let text = native.decodeText(copy, this.#encoding);
      if (!this.#started && !this.#ignoreBOM && text.startsWith("\ufeff")) text = text.slice(1);
      this.#started = !!options.stream && (this.#started || text.length > 0);
      return text;
    }
  }

  const invalidCharacter = (message) => new shared.DOMException(message, "InvalidCharacterError");
  function btoa(data) {
    if (arguments.length === 0) throw invalidArgument('The "input" argument must be specified', "ERR_MISSING_ARGS");
    const text = `${data}`;
    if (/[^\x00-\xff]/.test(text)) throw invalidCharacter("Invalid character");
    return native.base64Text(native.latin1Bytes(text));
  }
  function atob(data) {
    if (arguments.length === 0) throw invalidArgument('The "input" argument must be specified', "ERR_MISSING_ARGS");
    let text = `${data}`.replace(/[\t\n\f\r ]+/g, "");
    if (text.length % 4 === 0) text = text.replace(/==?$/, "");
    if (/[^A-Za-z0-9+/]/.test(text)) throw invalidCharacter("Invalid character");
    if (text.length % 4 === 1) throw invalidCharacter("The string to be decoded is not correctly encoded.");
    return native.latin1Text(native.base64Bytes(text));
  }

  // structuredClone
  const errorNames = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };
  const refuse = (v) => {
    throw new shared.DOMException(`${typeof v === "symbol" ? v.toString() : typeof v === "function" ? shared.functionText(v) : "#<" + (v.constructor && v.constructor.name || "Object") + ">"} could not be cloned.`, "DataCloneError");
  };
  function structuredClone(value, options) {
    if (arguments.length === 0) throw new TypeError("The \"value\" argument must be specified");
    const transfer = options && options.transfer ? [...options.transfer] : [];
    for (const t of transfer) if (!shared.isBuffer(t)) throw new shared.DOMException("Value in the transfer list cannot be transferred.", "DataCloneError");
    const copy = copyOf(value);
    for (const t of transfer) native.detach(t);
    return copy;
  }
  const copyOf = (value) => {
    const done = new Map();
    const keep = (from, to) => {
      done.set(from, to);
      return to;
    };
    const clone = (v) => {
      if (typeof v === "symbol" || typeof v === "function") refuse(v);
      if (v === null || typeof v !== "object") return v;
      if (done.has(v)) return done.get(v);
      const members = (to) => {
        for (const key of Object.keys(v)) to[key] = clone(v[key]);
        return to;
      };
      if (Array.isArray(v)) return members(keep(v, new Array(v.length)));
      switch (shared.classOf(v)) {
        case "Date":
          return keep(v, new Date(shared.dateValue(v)));
        case "RegExp":
          return keep(v, new RegExp(v.source, v.flags));
        case "Boxed":
          return keep(v, Object(v.valueOf()));
        case "Map": {
          const to = keep(v, new Map());
          for (const [k, x] of Array.from(Map.prototype.entries.call(v))) to.set(clone(k), clone(x));
          return to;
        }
        case "Set": {
          const to = keep(v, new Set());
          for (const x of Array.from(Set.prototype.values.call(v))) to.add(clone(x));
          return to;
        }
        case "Bytes": {
          if (shared.isBuffer(v)) return keep(v, v.slice(0));
          const buffer = clone(v.buffer);
          const Class = v instanceof DataView ? DataView : globalThis[Object.prototype.toString.call(v).slice(8, -1)];
          return keep(v, new Class(buffer, v.byteOffset, v.length === undefined ? v.byteLength : v.length));
        }
        case "Error": {
          const Class = errorNames[v.name] || Error;
          const error = new Class(v.message);
          Object.defineProperty(error, "stack", { value: v.stack, writable: true, configurable: true });
          if ("cause" in v) Object.defineProperty(error, "cause", { value: clone(v.cause), writable: true, configurable: true });
          done.set(v, error);
          return error;
        }
        case "":
          return members(keep(v, {}));
        case "Instance":
          if (shared.isHostObject(v)) throw new shared.DOMException("Cannot clone object of unsupported type.", "DataCloneError");
          return members(keep(v, {}));
      }
      return refuse(v);
    };
    return clone(value);
  };

  const crypto = {
    randomUUID: () => native.randomUUID(),
    getRandomValues(view) {
      if (!ArrayBuffer.isView(view) || view instanceof DataView || view instanceof Float32Array || view instanceof Float64Array) throw new shared.DOMException("The data argument must be an integer-type TypedArray", "TypeMismatchError");
      if (view.byteLength > 65536) throw new shared.DOMException(`The requested length exceeds 65,536 bytes`, "QuotaExceededError");
      new Uint8Array(view.buffer, view.byteOffset, view.byteLength).set(new Uint8Array(native.randomBytes(view.byteLength)));
      return view;
    },
  };
  crypto.subtle = {
    async digest(algorithm, data) {
      const given = typeof algorithm === "object" && algorithm !== null ? algorithm.name : algorithm;
      const name = /^SHA-(1|256|384|512)$/i.exec(`${given}`);
      if (!name) throw new shared.DOMException("Unrecognized algorithm name", "NotSupportedError");
      return native.bytesOfHex(native.digest(`sha${name[1]}`, undefined, bytesOf(data).slice().buffer));
    },
  };
  Object.defineProperty(crypto, "subtle", { enumerable: false });
  Object.defineProperty(crypto, Symbol.toStringTag, { value: "Crypto", configurable: true });

  return { TextEncoder, TextDecoder, atob, btoa, structuredClone, crypto };
})
