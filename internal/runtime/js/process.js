// process: what programs ask of it, and nothing of this machine.
(function (native, shared) {
  const stream = (level) => ({
    write(text) {
      text = typeof text === "string" ? text : new TextDecoder().decode(text);
      if (level === "log" && native.isScript()) native.print(text);
      native.log(level, text.endsWith("\n") ? text.slice(0, -1) : text);
      return true;
    },
    isTTY: false,
    columns: 80,
  });
  const exit = () => {
    throw new Error("process.exit is not available in node tools: return from the function instead");
  };
  const drain = () => native.runTicks();
  return {
    version: "v22.12.0",
    versions: { node: "22.12.0" },
    platform: native.platform,
    arch: native.arch,
    pid: 1,
    env: { ...native.env },
    argv: ["node", "tool"],
    execArgv: [],
    exitCode: undefined,
    title: "node",
    cwd: () => "/",
    exit,
    abort: exit,
    uptime: () => native.now() / 1000,
    hrtime: Object.assign(
      (before) => {
        const t = native.now() * 1e6;
        const now = [Math.floor(t / 1e9), Math.floor(t % 1e9)];
        if (!before) return now;
        const diff = (now[0] - before[0]) * 1e9 + now[1] - before[1];
        return [Math.floor(diff / 1e9), diff % 1e9];
      },
      { bigint: () => BigInt(Math.floor(native.now() * 1e6)) },
    ),
    memoryUsage: () => ({ rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 }),
    nextTick(fn, ...args) {
      if (typeof fn !== "function") {
        const error = new TypeError(`The "callback" argument must be of type function. Received ${shared.received(fn)}`);
        error.code = "ERR_INVALID_ARG_TYPE";
        throw error;
      }
      native.nextTick(() => fn(...args), drain);
    },
    emitWarning(warning) {
      native.log("warn", typeof warning === "string" ? warning : shared.format(warning));
    },
    on() {
      return this;
    },
    once() {
      return this;
    },
    off() {
      return this;
    },
    stdout: stream("log"),
    stderr: stream("error"),
  };
})
