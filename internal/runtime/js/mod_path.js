// node:path, the POSIX form on every system: paths of packs have slashes.
(function (native, shared) {
  const text = (v, name) => {
    if (typeof v === "string") return v;
    const error = new TypeError(`The "${name}" argument must be of type string. Received ${v === null || v === undefined ? v : typeof v === "object" ? "an instance of " + ((v.constructor && v.constructor.name) || "Object") : `type ${typeof v} (${shared.inspect(v)})`}`);
    error.code = "ERR_INVALID_ARG_TYPE";
    throw error;
  };
  // resolveDots takes "." and ".." out; above tells whether ".." may stay in front.
  const resolveDots = (p, above) => {
    const out = [];
    for (const part of p.split("/")) {
      if (part === "" || part === ".") continue;
      if (part !== "..") out.push(part);
      else if (out.length > 0 && out[out.length - 1] !== "..") out.pop();
      else if (above) out.push("..");
    }
    return out.join("/");
  };
  const trimEnd = (p) => {
    let end = p.length;
    while (end > 1 && p[end - 1] === "/") end--;
    return p.slice(0, end);
  };
  const path = {
    sep: "/",
    delimiter: ":",
    normalize(p) {
      if (text(p, "path") === "") return ".";
      const absolute = p[0] === "/";
      let out = resolveDots(p, !absolute);
      if (out === "" && !absolute) out = ".";
      if (out !== "" && p.endsWith("/")) out += "/";
      return absolute ? "/" + out : out;
    },
    isAbsolute: (p) => text(p, "path")[0] === "/",
    join(...parts) {
      const joined = parts.map((p) => text(p, "path")).filter((p) => p !== "").join("/");
      return joined === "" ? "." : path.normalize(joined);
    },
    resolve(...parts) {
      let out = "";
      for (let i = parts.length - 1; i >= 0 && out[0] !== "/"; i--) {
        const p = text(parts[i], `paths[${i}]`);
        if (p !== "") out = out === "" ? p : p + "/" + out;
      }
      if (out[0] !== "/") out = process.cwd() + "/" + out;
      return "/" + resolveDots(out, false);
    },
    relative(from, to) {
      from = path.resolve(text(from, "from"));
      to = path.resolve(text(to, "to"));
      const a = from.split("/").filter(Boolean);
      const b = to.split("/").filter(Boolean);
      let same = 0;
      while (same < a.length && same < b.length && a[same] === b[same]) same++;
      return [...a.slice(same).map(() => ".."), ...b.slice(same)].join("/");
    },
    dirname(p) {
      if (text(p, "path") === "") return ".";
      const trimmed = trimEnd(p);
      const slash = trimmed.lastIndexOf("/");
      if (slash < 0) return ".";
      if (slash === 0) return "/";
      let end = slash;
      if (end === 1 && trimmed[0] === "/") return "//";
      while (end > 1 && trimmed[end - 1] === "/") end--;
      return trimmed.slice(0, end);
    },
    basename(p, suffix) {
      if (suffix !== undefined) text(suffix, "suffix");
      let end = text(p, "path").length;
      while (end > 0 && p[end - 1] === "/") end--;
      const name = p.slice(p.lastIndexOf("/", end - 1) + 1, end);
      return suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
    },
    extname(p) {
      const name = path.basename(text(p, "path"));
      const dot = name.lastIndexOf(".");
      return dot <= 0 || /^\.+$/.test(name.slice(0, dot + 1)) && name === ".." ? "" : name.slice(dot);
    },
    parse(p) {
      const root = text(p, "path")[0] === "/" ? "/" : "";
      const base = path.basename(p);
      const ext = path.extname(p);
      const trimmed = trimEnd(p);
      const slash = trimmed.lastIndexOf("/");
      const dir = slash > 0 ? trimmed.slice(0, slash) : slash === 0 ? "/" : "";
      return { root, dir, base, ext, name: ext ? base.slice(0, -ext.length) : base };
    },
    format(o) {
      if (o === null || typeof o !== "object") text(o, "pathObject");
      const base = o.base || `${o.name || ""}${o.ext ? (o.ext[0] === "." ? "" : ".") + o.ext : ""}`;
      const dir = o.dir || o.root;
      return !dir ? base : dir === o.root ? dir + base : dir + "/" + base;
    },
    toNamespacedPath: (p) => p,
    matchesGlob(p, pattern) {
      const source = text(pattern, "pattern").replace(/[.+^${}()|[\]\\]/g, "\\$&").replace(/\*\*\/?|\*|\?/g, (m) => (m[1] === "*" ? ".*" : m === "*" ? "[^/]*" : "[^/]"));
      return new RegExp(`^${source}$`).test(text(p, "path"));
    },
  };
  path.posix = path;
  path.default = path;
  return path;
})
