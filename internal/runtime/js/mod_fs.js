// node:fs. The worker has no files: where the host allows directories, each call
// is a host call named fs.*, else it is refused by the policy. There are no
// synchronous functions, because a host call is answered later.
(function (native, shared) {
  const refusal = (message, kind, code, hint, data) => {
    const error = new Error(message);
    Object.defineProperties(error, {
      code: { value: code, enumerable: true },
      kind: { value: kind, enumerable: true },
      hint: { value: hint, enumerable: true },
      data: { value: data, enumerable: true },
    });
    return error;
  };
  const denied = (name) => refusal(`fs.${name} is refused by the policy: tools have no access to files`, "policy_denied", "ERR_ACCESS_DENIED", "start egod with --allow-fs DIR to allow a directory", { rule: "file.access" });
  const missing = (name) => refusal(`fs.${name} is not available in node tools`, "", "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM", "use the functions of node:fs/promises");
  const invalid = (code, message) => Object.assign(new TypeError(message), { code });
  const pathOf = (given) => {
    const path = given instanceof URL ? native.module("url").fileURLToPath(given) : given instanceof Uint8Array ? new TextDecoder().decode(given) : given;
    if (typeof path !== "string") throw invalid("ERR_INVALID_ARG_TYPE", `The "path" argument must be of type string or an instance of Buffer or URL. Received ${shared.received(given)}`);
    if (path.includes("\0")) throw invalid("ERR_INVALID_ARG_VALUE", `The argument 'path' must be a string, Uint8Array, or URL without null bytes. Received ${shared.inspect(path)}`);
    return path;
  };
  const ask = async (name, args) => {
    if (!native.files) throw denied(name);
    try {
      return await shared.host.call(`fs.${name}`, args);
    } catch (error) {
      for (const key of ["errno", "syscall", "path", "dest"]) if (error.data && error.data[key] !== undefined) error[key] = error.data[key];
      throw error;
    }
  };
  const optionsOf = (options) => {
    const given = typeof options === "string" ? { encoding: options } : options || {};
    const { encoding, signal } = given;
    if (encoding && encoding !== "buffer" && !Buffer.isEncoding(encoding)) throw invalid("ERR_INVALID_ARG_VALUE", `The argument 'encoding' is invalid encoding. Received ${shared.inspect(encoding)}`);
    if (signal && signal.aborted) throw Object.assign(Object.defineProperty(new Error("The operation was aborted", { cause: signal.reason }), "name", { value: "AbortError", configurable: true, writable: true }), { code: "ABORT_ERR" });
    return given;
  };
  const encodingOf = (options) => {
    const { encoding } = optionsOf(options);
    return encoding && encoding !== "buffer" ? encoding : null;
  };
  const bytesOf = async (data, encoding) => {
    if (typeof data === "string") return Buffer.from(data, encoding || "utf8");
    if (ArrayBuffer.isView(data)) return Buffer.from(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength));
    if (typeof data !== "object" || data === null || !(data[Symbol.iterator] || data[Symbol.asyncIterator])) {
      throw invalid("ERR_INVALID_ARG_TYPE", `The "data" argument must be of type string or an instance of Buffer, TypedArray, or DataView. Received ${shared.received(data)}`);
    }
    const parts = [];
    const it = (data[Symbol.asyncIterator] || data[Symbol.iterator]).call(data);
    for (let step = await it.next(); !step.done; step = await it.next()) parts.push(await bytesOf(step.value, encoding));
    return Buffer.concat(parts);
  };
  const kinds = {
    isFile: "file", isDirectory: "directory", isSymbolicLink: "symlink", isFIFO: "fifo", isSocket: "socket", isBlockDevice: "block", isCharacterDevice: "character",
  };
  const withKinds = (Class) => {
    for (const name of Object.keys(kinds)) {
      Object.defineProperty(Class.prototype, name, { value() { return types.get(this) === kinds[name]; }, writable: true, configurable: true });
    }
    return Class;
  };
  const types = new WeakMap();
  const Stats = withKinds(class Stats {
    constructor(s) {
      types.set(this, s.type);
      Object.assign(this, { size: s.size, mode: s.mode, mtimeMs: s.mtimeMs, mtime: new Date(s.mtimeMs) });
    }
  });
  for (const name of ["dev", "ino", "nlink", "uid", "gid", "rdev", "blksize", "blocks", "atimeMs", "ctimeMs", "birthtimeMs", "atime", "ctime", "birthtime"]) {
    Object.defineProperty(Stats.prototype, name, { get() { throw new Error(`${name} of a file is not available in node tools`); }, configurable: true });
  }
  const Dirent = withKinds(class Dirent {
    constructor(s, parent) {
      types.set(this, s.type);
      Object.assign(this, { name: s.name, parentPath: parent, path: parent });
    }
  });
  const statsOf = (s) => new Stats(s);
  const write = (append) => async (path, data, options) => {
    const { flag } = optionsOf(options);
    const encoding = encodingOf(options);
    await ask(append ? "appendFile" : "writeFile", { path: pathOf(path), base64: (await bytesOf(data, encoding)).toString("base64"), ...(flag && { flag }) });
  };
  const plain = (name, ...keys) => async (path, ...rest) => {
    const args = { path: pathOf(path) };
    for (const [i, key] of keys.entries()) {
      const v = rest[i];
      if (v === undefined) continue;
      if (key === "options") Object.assign(args, typeof v === "object" ? v : {});
      else args[key] = key === "target" ? pathOf(v) : v;
    }
    const result = await ask(name, args);
    return result === null ? undefined : result;
  };
  const promises = {
    async readFile(path, options) {
      const encoding = encodingOf(options);
      const { base64 } = await ask("readFile", { path: pathOf(path) });
      const bytes = Buffer.from(base64, "base64");
      return encoding ? bytes.toString(encoding) : bytes;
    },
    writeFile: write(false),
    appendFile: write(true),
    stat: async (path) => statsOf(await ask("stat", { path: pathOf(path) })),
    lstat: async (path) => statsOf(await ask("lstat", { path: pathOf(path) })),
    async readdir(path, options) {
      const { withFileTypes = false, recursive = false } = optionsOf(options);
      const top = pathOf(path);
      const found = [];
      const look = async (dir, below) => {
        for (const e of await ask("readdir", { path: dir })) {
          found.push(withFileTypes ? new Dirent(e, dir) : below + e.name);
          if (recursive && e.type === "directory") await look(`${dir.replace(/\/$/, "")}/${e.name}`, `${below}${e.name}/`);
        }
      };
      await look(top, "");
      return found;
    },
    access: plain("access", "mode"),
    mkdir: plain("mkdir", "options"),
    rm: plain("rm", "options"),
    rmdir: plain("rmdir"),
    unlink: plain("unlink"),
    rename: plain("rename", "target"),
    copyFile: plain("copyFile", "target"),
    realpath: plain("realpath"),
    mkdtemp: plain("mkdtemp"),
  };
  const fs = { promises, constants: { F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1 } };
  promises.constants = fs.constants;
  for (const name of Object.keys(promises)) {
    if (name === "constants") continue;
    fs[name] = (...args) => {
      const callback = args.pop();
      if (typeof callback !== "function") throw invalid("ERR_INVALID_ARG_TYPE", `The "cb" argument must be of type function. Received ${shared.received(callback)}`);
      promises[name](...args).then(
        (v) => queueMicrotask(() => callback(null, v)),
        (error) => queueMicrotask(() => callback(error)),
      );
    };
    fs[name + "Sync"] = () => {
      throw native.files ? missing(name + "Sync") : denied(name + "Sync");
    };
  }
  for (const name of ["existsSync", "createReadStream", "createWriteStream", "watch", "open"]) {
    fs[name] = () => {
      throw native.files ? missing(name) : denied(name);
    };
  }
  return fs;
})
