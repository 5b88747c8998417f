// JSON.parse where the engine's own is not enough: it says what is wrong with a
// text as Node does, keeps lone surrogates, and takes numbers that are too large.
(function (native, shared) {
  const spaces = " \t\n\r";
  const digit = (c) => c >= "0" && c <= "9";
  const escapes = { __proto__: null, '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
  const deepest = 1000; // where the engine's own error has to do
  const nearby = 10; // characters of the text that are shown around a fault
  const { defineProperty, keys } = Object;

  class Reader {
    constructor(text, fault) {
      this.text = text;
      this.at = 0;
      this.depth = 0;
      this.fault = fault;
      this.known = { __proto__: null };
    }

    // fail throws what Node says of a fault at a place.
    fail(what, at = this.at) {
      const before = this.text.slice(0, at);
      const line = before.split(/\r\n|\n|\r/).length;
      const column = at - Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\r"));
      throw new SyntaxError(`${what}${what.endsWith("JSON") ? "" : " in JSON"} at position ${at} (line ${line} column ${column})`);
    }

    // unexpected throws what Node says where no rule explains the character.
    unexpected() {
      const { text, at } = this;
      if (at >= text.length) throw new SyntaxError("Unexpected end of JSON input");
      if (digit(text[at])) this.fail("Unexpected number");
      if (text[at] === '"') this.fail("Unexpected string");
      if (text === "undefined" || text === "NaN" || text === "Infinity" || text === "[object Object]") throw new SyntaxError(`"${text}" is not valid JSON`);
      let shown = `"${text}"`;
      if (text.length > 4 * nearby) {
        const from = at < nearby ? 0 : at - nearby;
        const to = at < nearby ? at + nearby : Math.min(at + nearby, text.length);
        shown = `${from > 0 ? "..." : ""}"${text.slice(from, to)}"${to < text.length ? "..." : ""}`;
      }
      throw new SyntaxError(`Unexpected token '${text[at]}', ${shown} is not valid JSON`);
    }

    skip() {
      while (this.at < this.text.length && spaces.includes(this.text[this.at])) this.at++;
      return this.text[this.at];
    }

    value() {
      const c = this.skip();
      if (c === "{" || c === "[") {
        if (++this.depth > deepest) throw this.fault || new SyntaxError(`JSON with half a character is nested deeper than ${deepest}`);
        const made = c === "{" ? this.object() : this.array();
        this.depth--;
        return made;
      }
      if (c === '"') return this.string();
      if (c === "-" || (c !== undefined && digit(c))) return this.number();
      if (c === "t") return this.word("true", true);
      if (c === "f") return this.word("false", false);
      if (c === "n") return this.word("null", null);
      return this.unexpected();
    }

    word(name, value) {
      for (const c of name) {
        if (this.text[this.at] !== c) this.unexpected();
        this.at++;
      }
      return value;
    }

    digits() {
      const from = this.at;
      while (this.at < this.text.length && digit(this.text[this.at])) this.at++;
      return this.at > from;
    }

    number() {
      const from = this.at;
      if (this.text[this.at] === "-") this.at++;
      if (this.text[this.at] === "0") {
        this.at++;
        if (this.at < this.text.length && digit(this.text[this.at])) this.fail("Unexpected number");
      } else if (!this.digits()) this.fail("No number after minus sign");
      if (this.text[this.at] === ".") {
        this.at++;
        if (!this.digits()) this.fail("Unterminated fractional number");
      }
      if (this.text[this.at] === "e" || this.text[this.at] === "E") {
        this.at++;
        if (this.text[this.at] === "+" || this.text[this.at] === "-") this.at++;
        if (!this.digits()) this.fail("Exponent part is missing a number");
      }
      return Number(this.text.slice(from, this.at));
    }

    string() {
      const parts = [];
      for (this.at++; ; ) {
        const end = this.next('"');
        const to = Math.min(end, this.next("\\"));
        const plain = this.text.slice(this.at, to);
        const control = plain.search(/[\x00-\x1f]/);
        if (control >= 0) this.fail("Bad control character in string literal", this.at + control);
        if (to === this.text.length) this.fail("Unterminated string", to);
        parts.push(plain);
        this.at = to + 1;
        if (to === end) return parts.join("");
        parts.push(this.escaped());
      }
    }

    // next is where a character stands next, the end of the text if nowhere.
    next(c) {
      if (!(this.known[c] >= this.at)) {
        const found = this.text.indexOf(c, this.at);
        this.known[c] = found < 0 ? this.text.length : found;
      }
      return this.known[c];
    }

    escaped() {
      const c = this.text[this.at];
      if (c === undefined) this.unexpected();
      if (c !== "u") {
        if (!(c in escapes)) this.fail("Bad escaped character");
        this.at++;
        return escapes[c];
      }
      for (let i = 1; i <= 4; i++) if (!/^[0-9a-fA-F]$/.test(this.text[this.at + i] ?? "")) this.fail("Bad Unicode escape", this.at + i);
      this.at += 5;
      return String.fromCharCode(parseInt(this.text.slice(this.at - 4, this.at), 16));
    }

    array() {
      const list = [];
      this.at++;
      if (this.skip() === "]") {
        this.at++;
        return list;
      }
      for (;;) {
        list.push(this.value());
        const c = this.skip();
        if (c !== "," && c !== "]") this.text.length > this.at ? this.fail("Expected ',' or ']' after array element") : this.unexpected();
        this.at++;
        if (c === "]") return list;
      }
    }

    object() {
      const object = {};
      this.at++;
      if (this.skip() === "}") {
        this.at++;
        return object;
      }
      for (let first = true; ; first = false) {
        if (this.skip() !== '"') this.fail(first ? "Expected property name or '}'" : "Expected double-quoted property name");
        const key = this.string();
        if (this.skip() !== ":") this.fail("Expected ':' after property name");
        this.at++;
        defineProperty(object, key, { value: this.value(), writable: true, enumerable: true, configurable: true });
        const c = this.skip();
        if (c !== "," && c !== "}") this.fail("Expected ',' or '}' after property value");
        this.at++;
        if (c === "}") return object;
      }
    }
  }

  // revive walks a value with the reviver of JSON.parse, from the inside out.
  const revive = (holder, key, reviver) => {
    const value = holder[key];
    if (value !== null && typeof value === "object") {
      for (const k of keys(value)) {
        const to = revive(value, k, reviver);
        if (to === undefined) delete value[k];
        else defineProperty(value, k, { value: to, writable: true, enumerable: true, configurable: true });
      }
    }
    return reviver.call(holder, key, value);
  };

  // parseCarefully gets the error of the engine too, if it came to one.
  shared.parseCarefully = (text, reviver, fault) => {
    const reader = new Reader(text, fault);
    const value = reader.value();
    if (reader.skip() !== undefined) reader.fail("Unexpected non-whitespace character after JSON");
    return typeof reviver === "function" ? revive({ "": value }, "", reviver) : value;
  };
})
