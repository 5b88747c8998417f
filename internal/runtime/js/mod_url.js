// node:url: the URL classes are goja_nodejs's, the rest is here.
(function (native, shared) {
  const { URL, URLSearchParams, domainToASCII, domainToUnicode } = native.nodejs("url");
  shared.classes.URLSearchParams = URLSearchParams;
  if (typeof URL.canParse !== "function") {
    const tryParse = (input, base) => {
      try {
        return base === undefined ? new URL(input) : new URL(input, base);
      } catch {
        return null;
      }
    };
    Object.defineProperty(URL, "canParse", { value: function canParse(input, base) { return tryParse(input, base) !== null; }, writable: true, configurable: true });
    Object.defineProperty(URL, "parse", { value: function parse(input, base) { return tryParse(input, base); }, writable: true, configurable: true });
  }
  const fileURLToPath = (given) => {
    const url = typeof given === "string" ? new URL(given) : given;
    if (url.protocol !== "file:") {
      const error = new TypeError("The URL must be of scheme file");
      error.code = "ERR_INVALID_URL_SCHEME";
      throw error;
    }
    if (/%2f/i.test(url.pathname)) {
      const error = new TypeError("File URL path must not include encoded / characters");
      error.code = "ERR_INVALID_FILE_URL_PATH";
      throw error;
    }
    return decodeURIComponent(url.pathname);
  };
  const pathToFileURL = (p) => new URL("file://" + native.module("path").resolve(p).split("/").map((part) => encodeURIComponent(part).replace(/%(2B|40|3A|24|26|2C|3B|3D)/gi, decodeURIComponent)).join("/") + (p.endsWith("/") && p.length > 1 ? "/" : ""));
  const format = (url, options = {}) => {
    if (typeof url === "string") return new URL(url).href;
    if (url instanceof URL) {
      const copy = new URL(url.href);
      if (options.fragment === false) copy.hash = "";
      if (options.search === false) copy.search = "";
      if (options.auth === false) copy.username = copy.password = "";
      return copy.href;
    }
    const { protocol = "", auth, hostname = "", host, port, pathname = "", search, query, hash = "" } = url;
    const scheme = protocol && !protocol.endsWith(":") ? protocol + ":" : protocol;
    const site = host || hostname + (port ? ":" + port : "");
    const q = search || (query && typeof query === "object" ? new URLSearchParams(query).toString() : query) || "";
    return `${scheme}${site || url.slashes ? "//" : ""}${auth ? auth + "@" : ""}${site}${pathname}${q && q[0] !== "?" ? "?" : ""}${q}${hash && hash[0] !== "#" ? "#" : ""}${hash}`;
  };
  return { URL, URLSearchParams, domainToASCII, domainToUnicode, fileURLToPath, pathToFileURL, format };
})
