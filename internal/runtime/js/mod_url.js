// node:url and the URL globals, after the WHATWG URL standard. Parsing is done by
// native; the query is an object of its own that writes back to its URL.
(function (native, shared) {
  const invalid = (input, base) => {
    const error = new TypeError("Invalid URL");
    error.code = "ERR_INVALID_URL";
    error.input = `${input}`;
    if (base !== undefined) error.base = `${base}`;
    return error;
  };
  const encode = (s) => encodeURIComponent(s).replace(/%20/g, "+").replace(/[!'()~]/g, (c) => "%" + c.charCodeAt(0).toString(16).toUpperCase());
  const decode = (s) => native.formDecode(s);
  const parseQuery = (text) =>
    text
      .split("&")
      .filter((part) => part !== "")
      .map((part) => {
        const at = part.indexOf("=");
        return at < 0 ? [decode(part), ""] : [decode(part.slice(0, at)), decode(part.slice(at + 1))];
      });
  const text = (v) => native.wellFormed(`${v}`);
  const update = Symbol("update");
  const reset = Symbol("reset");

  class URLSearchParams {
    #list = [];
    #changed = null;
    constructor(init = "") {
      if (typeof init === "object" && init !== null) {
        if (init instanceof URLSearchParams) this.#list = [...init];
        else if (typeof init[Symbol.iterator] === "function") {
          for (const pair of init) {
            const items = typeof pair === "object" && pair !== null ? [...pair] : [];
            if (items.length !== 2) {
              const error = new TypeError("Each query pair must be an iterable [name, value] tuple");
              error.code = "ERR_INVALID_TUPLE";
              throw error;
            }
            this.#list.push([text(items[0]), text(items[1])]);
          }
        } else for (const key of Object.keys(init)) this.#list.push([text(key), text(init[key])]);
      } else this.#list = parseQuery(init === null ? "" : text(init).replace(/^\?/, ""));
    }
    [update](fn) {
      this.#changed = fn;
    }
    [reset](query) {
      this.#list = parseQuery(query);
    }
    #write() {
      if (this.#changed) this.#changed(this.toString());
    }
    get size() {
      return this.#list.length;
    }
    append(name, value) {
      this.#list.push([text(name), text(value)]);
      this.#write();
    }
    delete(name, value) {
      name = text(name);
      this.#list = this.#list.filter(([n, v]) => n !== name || (value !== undefined && v !== text(value)));
      this.#write();
    }
    get(name) {
      name = text(name);
      const found = this.#list.find(([n]) => n === name);
      return found ? found[1] : null;
    }
    getAll(name) {
      name = text(name);
      return this.#list.filter(([n]) => n === name).map(([, v]) => v);
    }
    has(name, value) {
      name = text(name);
      return this.#list.some(([n, v]) => n === name && (value === undefined || v === text(value)));
    }
    set(name, value) {
      name = text(name);
      const at = this.#list.findIndex(([n]) => n === name);
      if (at < 0) this.#list.push([name, text(value)]);
      else {
        this.#list[at][1] = text(value);
        this.#list = this.#list.filter(([n], i) => n !== name || i === at);
      }
      this.#write();
    }
    sort() {
      this.#list.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
      this.#write();
    }
    forEach(fn, thisArg) {
      for (const [name, value] of this) fn.call(thisArg, value, name, this);
    }
    *entries() {
      for (let i = 0; i < this.#list.length; i++) yield [this.#list[i][0], this.#list[i][1]];
    }
    *keys() {
      for (const [name] of this.entries()) yield name;
    }
    *values() {
      for (const [, value] of this.entries()) yield value;
    }
    [Symbol.iterator]() {
      return this.entries();
    }
    toString() {
      return this.#list.map(([n, v]) => `${encode(n)}=${encode(v)}`).join("&");
    }
    get [Symbol.toStringTag]() {
      return "URLSearchParams";
    }
    [Symbol.for("nodejs.util.inspect.custom")](depth, options, inspect) {
      const items = this.#list.map(([n, v]) => `${inspect(n)} => ${inspect(v)}`);
      return items.length ? `URLSearchParams { ${items.join(", ")} }` : "URLSearchParams {}";
    }
  }

  class URL {
    #handle;
    #params = null;
    constructor(input, base) {
      if (arguments.length === 0) throw new TypeError('The "url" argument must be specified');
      this.#handle = native.urlParse(text(input), base === undefined ? undefined : text(base));
      if (this.#handle === null) throw invalid(input, base);
    }
    static canParse(input, base) {
      return native.urlParse(text(input), base === undefined ? undefined : text(base)) !== null;
    }
    static parse(input, base) {
      return URL.canParse(input, base) ? new URL(input, base) : null;
    }
    #set(field, value) {
      native.urlSet(this.#handle, field, text(value));
    }
    get href() {
      return native.urlGet(this.#handle, "href");
    }
    set href(value) {
      const handle = native.urlParse(text(value), undefined);
      if (handle === null) throw invalid(value);
      this.#handle = handle;
      this.#reload();
    }
    get origin() {
      return native.urlGet(this.#handle, "origin");
    }
    get search() {
      return native.urlGet(this.#handle, "search");
    }
    set search(value) {
      this.#set("search", value);
      this.#reload();
    }
    #reload() {
      if (this.#params) this.#params[reset](this.search.slice(1));
    }
    get searchParams() {
      if (!this.#params) {
        this.#params = new URLSearchParams(this.search.slice(1));
        this.#params[update]((query) => this.#set("search", query));
      }
      return this.#params;
    }
    static {
      for (const field of ["protocol", "username", "password", "host", "hostname", "port", "pathname", "hash"]) {
        Object.defineProperty(URL.prototype, field, {
          get() {
            return native.urlGet(this.#handle, field);
          },
          set(value) {
            this.#set(field, value);
          },
          enumerable: true,
          configurable: true,
        });
      }
      for (const field of ["href", "origin", "search", "searchParams"]) Object.defineProperty(URL.prototype, field, { enumerable: true });
    }
    toString() {
      return this.href;
    }
    toJSON() {
      return this.href;
    }
    get [Symbol.toStringTag]() {
      return "URL";
    }
    [Symbol.for("nodejs.util.inspect.custom")](depth, options, inspect) {
      const fields = ["href", "origin", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "searchParams", "hash"];
      return `URL {\n${fields.map((f) => `  ${f}: ${inspect(this[f])}`).join(",\n")}\n}`;
    }
  }
  Object.assign(shared.classes, { URL, URLSearchParams });

  const fail = (Class, code, message) => {
    const error = new Class(message);
    error.code = code;
    throw error;
  };
  const fileURLToPath = (given) => {
    const url = typeof given === "string" ? new URL(given) : given;
    if (!(url instanceof URL)) fail(TypeError, "ERR_INVALID_ARG_TYPE", 'The "path" argument must be of type string or an instance of URL.');
    if (url.protocol !== "file:") fail(TypeError, "ERR_INVALID_URL_SCHEME", "The URL must be of scheme file");
    if (/%2f/i.test(url.pathname)) fail(TypeError, "ERR_INVALID_FILE_URL_PATH", "File URL path must not include encoded / characters");
    return decodeURIComponent(url.pathname);
  };
  const pathToFileURL = (p) => {
    const url = new URL("file:///");
    url.pathname = (native.module("path").resolve(p) + (p.length > 1 && p.endsWith("/") ? "/" : "")).replace(/[%\\\n\r\t?#]/g, (c) => "%" + c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0"));
    return url;
  };
  const slashed = ["http:", "https:", "ftp:", "gopher:", "file:", "ws:", "wss:"];
  const format = (url, options = {}) => {
    if (typeof url === "string") return parse(url).href;
    if (url instanceof URL) {
      const copy = new URL(url.href);
      if (options.fragment === false) copy.hash = "";
      if (options.search === false) copy.search = "";
      const auth = options.auth === false ? "" : undefined;
      if (auth === "") {
        copy.username = "";
        copy.password = "";
      }
      return copy.href;
    }
    const part = (name) => (url[name] === null || url[name] === undefined ? "" : `${url[name]}`);
    const scheme = part("protocol") && !part("protocol").endsWith(":") ? part("protocol") + ":" : part("protocol");
    const site = part("host") || part("hostname") + (part("port") ? ":" + part("port") : "");
    const q = part("search") || (url.query && typeof url.query === "object" ? new URLSearchParams(url.query).toString() : part("query"));
    const hash = part("hash");
    const slashes = url.slashes || (slashed.includes(scheme) && site) ? "//" : "";
    const auth = part("auth") ? encodeURIComponent(part("auth")).replace(/%3A/i, ":") + "@" : "";
    const pathname = part("pathname");
    return `${scheme}${slashes}${auth}${site}${site && pathname && pathname[0] !== "/" && slashes ? "/" : ""}${pathname}${q && q[0] !== "?" ? "?" : ""}${q}${hash && hash[0] !== "#" ? "#" : ""}${hash}`;
  };
  // parse takes a URL apart as Node did before there was a standard.
  const parse = (input, parseQuery = false, slashesDenoteHost = false) => {
    if (typeof input !== "string") fail(TypeError, "ERR_INVALID_ARG_TYPE", `The "url" argument must be of type string. Received ${shared.received(input)}`);
    const out = { protocol: null, slashes: null, auth: null, host: null, port: null, hostname: null, hash: null, search: null, query: null, pathname: null, path: null };
    let rest = input.trim();
    const cut = (mark) => {
      const at = rest.indexOf(mark);
      if (at < 0) return null;
      const part = rest.slice(at);
      rest = rest.slice(0, at);
      return part;
    };
    out.hash = cut("#");
    out.search = cut("?");
    const scheme = /^[a-z0-9.+-]+:/i.exec(rest);
    if (scheme) {
      out.protocol = scheme[0].toLowerCase();
      rest = rest.slice(scheme[0].length);
    }
    const web = slashed.includes(out.protocol);
    const slashes = rest.startsWith("//") && out.protocol !== "javascript:" && (scheme || slashesDenoteHost);
    if (slashes) {
      out.slashes = true;
      rest = rest.slice(2);
    }
    if (slashes || (scheme && !web && out.protocol !== "javascript:")) {
      const end = /[/\\]/.exec(rest);
      let site = end ? rest.slice(0, end.index) : rest;
      rest = end ? rest.slice(end.index) : "";
      const at = site.lastIndexOf("@");
      if (at >= 0) {
        out.auth = decodeURIComponent(site.slice(0, at));
        site = site.slice(at + 1);
      }
      const port = /:(\d*)$/.exec(site);
      if (port) {
        site = site.slice(0, port.index);
        if (port[1] !== "") out.port = port[1];
      }
      const bare = site.replace(/^\[|\]$/g, "");
      out.hostname = bare === site ? domain(site.toLowerCase()) || site.toLowerCase() : bare.toLowerCase();
      out.host = (bare === site ? out.hostname : `[${out.hostname}]`) + (out.port === null ? "" : ":" + out.port);
    }
    const escaped = (text) => text.replace(/[\s"<>\\^`{|}']/g, (c) => "%" + c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0"));
    if (web) rest = rest.replaceAll("\\", "/");
    out.pathname = rest === "" ? (web && out.hostname ? "/" : null) : escaped(rest);
    if (out.search !== null) out.search = escaped(out.search);
    if (out.search !== null) out.query = out.search.slice(1);
    else if (parseQuery) {
      out.search = null;
      out.query = "";
    }
    out.path = out.pathname === null && out.search === null ? null : (out.pathname || "") + (out.search || "");
    if (parseQuery) {
      const query = Object.create(null);
      for (const [k, v] of new URLSearchParams(out.query)) query[k] = k in query ? [query[k], v].flat() : v;
      out.query = query;
    }
    out.href = format({ ...out, query: null });
    return out;
  };
  const resolve = (from, to) => {
    const base = URL.parse(from, "resolve://");
    const url = base && URL.parse(to, base.href);
    if (!url) return `${to}`;
    return url.protocol === "resolve:" ? url.pathname + url.search + url.hash : url.href;
  };
  const urlToHttpOptions = (url) => {
    const options = {
      protocol: url.protocol, hostname: url.hostname.replace(/^\[|\]$/g, ""), hash: url.hash, search: url.search,
      pathname: url.pathname, path: `${url.pathname}${url.search}`, href: url.href,
    };
    if (url.port !== "") options.port = Number(url.port);
    if (url.username || url.password) options.auth = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    return options;
  };
  const domain = (name) => {
    const url = URL.parse(`ws://${name}`);
    return url === null ? "" : url.hostname;
  };
  return { URL, URLSearchParams, domainToASCII: domain, domainToUnicode: (name) => native.domainToUnicode(domain(name)), fileURLToPath, pathToFileURL, format, parse, resolve, urlToHttpOptions };
})
