// node:fs below the policy: without an allowed directory there are no files.
(function (native, shared) {
  const denied = (name) => {
    const error = new Error(`fs.${name} is refused by the policy: tools have no access to files`);
    Object.defineProperties(error, {
      code: { value: "ERR_ACCESS_DENIED", enumerable: true },
      kind: { value: "policy_denied", enumerable: true },
      hint: { value: "start egod with --allow-fs DIR to allow a directory", enumerable: true },
    });
    return error;
  };
  const names = ["access", "appendFile", "copyFile", "cp", "lstat", "mkdir", "mkdtemp", "open", "opendir", "readdir", "readFile", "readlink", "realpath", "rename", "rm", "rmdir", "stat", "symlink", "truncate", "unlink", "utimes", "watch", "writeFile"];
  const promises = {};
  const fs = { promises, constants: { F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1 } };
  for (const name of names) {
    promises[name] = async () => {
      throw denied(name);
    };
    fs[name] = (...args) => {
      const callback = args.at(-1);
      if (typeof callback !== "function") throw denied(name);
      queueMicrotask(() => callback(denied(name)));
    };
    fs[name + "Sync"] = () => {
      throw denied(name + "Sync");
    };
  }
  promises.constants = fs.constants;
  fs.existsSync = () => false;
  for (const name of ["createReadStream", "createWriteStream"]) {
    fs[name] = () => {
      throw denied(name);
    };
  }
  return fs;
})
