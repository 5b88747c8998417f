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
  const pathOf = (given) => {
    if (typeof given === "string") return given;
    if (given instanceof URL) return native.module("url").fileURLToPath(given);
    if (given instanceof Uint8Array) return new TextDecoder().decode(given);
    const error = new TypeError(`The "path" argument must be of type string or an instance of Buffer or URL. Received ${shared.inspect(given)}`);
    error.code = "ERR_INVALID_ARG_TYPE";
    throw error;
  };
  const ask = async (name, args) => {
    if (!native.files) throw denied(name);
    return shared.host.call(`fs.${name}`, args);
  };
  const encodingOf = (options) => (typeof options === "string" ? options : options && options.encoding) || null;
  const bytesOf = (data, encoding) => {
    if (typeof data === "string") return Buffer.from(data, encoding || "utf8");
    if (ArrayBuffer.isView(data)) return Buffer.from(data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength));
    return Buffer.from(`${data}`);
  };
  const statsOf = (s) => ({
    size: s.size,
    mode: s.mode,
    mtimeMs: s.mtimeMs,
    mtime: new Date(s.mtimeMs),
    isFile: () => s.type === "file",
    isDirectory: () => s.type === "directory",
    isSymbolicLink: () => s.type === "symlink",
  });
  const write = (append) => async (path, data, options) => {
    const flag = options && typeof options === "object" ? options.flag : undefined;
    await ask(append ? "appendFile" : "writeFile", { path: pathOf(path), base64: bytesOf(data, encodingOf(options)).toString("base64"), ...(flag && { flag }) });
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
      const { base64 } = await ask("readFile", { path: pathOf(path) });
      const bytes = Buffer.from(base64, "base64");
      const encoding = encodingOf(options);
      return encoding ? bytes.toString(encoding) : bytes;
    },
    writeFile: write(false),
    appendFile: write(true),
    stat: async (path) => statsOf(await ask("stat", { path: pathOf(path) })),
    lstat: async (path) => statsOf(await ask("lstat", { path: pathOf(path) })),
    async readdir(path, options) {
      const list = await ask("readdir", { path: pathOf(path) });
      if (!options || !options.withFileTypes) return list.map((e) => e.name);
      return list.map((e) => ({ ...statsOf(e), name: e.name, parentPath: pathOf(path), path: pathOf(path) }));
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
      if (typeof callback !== "function") throw new TypeError('The "cb" argument must be of type function. Received undefined');
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
