// The global names of programs: what both Node and browsers have, and a little of
// Node. What costs something to make is made at its first use.
(function (native, shared) {
  const own = (name, value) => Object.defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  const lazy = (name, make) =>
    Object.defineProperty(globalThis, name, {
      get() {
        const value = make();
        own(name, value);
        return value;
      },
      set(value) {
        own(name, value);
      },
      configurable: true,
      enumerable: false,
    });

  // console
  const started = new Map();
  const counts = new Map();
  let indent = "";
  const write = (level, text) => native.log(level, indent ? indent + text.replaceAll("\n", "\n" + indent) : text);
  const logger = (level) =>
    function (...args) {
      write(level, shared.format(...args));
    };
  const elapsed = (label) => {
    const from = started.get(label);
    return from === undefined ? null : `${label}: ${(native.now() - from).toFixed(3)}ms`;
  };
  own("console", {
    log(...args) {
      write("log", shared.format(...args));
      if (native.isScript()) native.print(shared.formatOutput(...args) + "\n");
    },
    info: logger("info"),
    warn: logger("warn"),
    error: logger("error"),
    debug: logger("debug"),
    trace(...args) {
      write("debug", "Trace: " + shared.format(...args));
    },
    dir(v, options) {
      write("log", shared.inspect(v, options));
    },
    dirxml: logger("log"),
    table(v) {
      write("log", shared.inspect(v));
    },
    assert(ok, ...args) {
      if (!ok) write("error", args.length ? "Assertion failed: " + shared.format(...args) : "Assertion failed");
    },
    count(label = "default") {
      const n = (counts.get(`${label}`) || 0) + 1;
      counts.set(`${label}`, n);
      write("log", `${label}: ${n}`);
    },
    countReset(label = "default") {
      counts.delete(`${label}`);
    },
    group(...args) {
      if (args.length) write("log", shared.format(...args));
      indent += "  ";
    },
    groupCollapsed(...args) {
      this.group(...args);
    },
    groupEnd() {
      indent = indent.slice(2);
    },
    time(label = "default") {
      started.set(`${label}`, native.now());
    },
    timeLog(label = "default", ...args) {
      const text = elapsed(`${label}`);
      if (text) write("log", [text, ...args.map((v) => shared.format(v))].join(" "));
    },
    timeEnd(label = "default") {
      const text = elapsed(`${label}`);
      if (text) write("log", text);
      started.delete(`${label}`);
    },
  });

  // timers
  const ids = new WeakMap();
  class Timeout {
    constructor(fn, ms, args, repeat) {
      if (typeof fn !== "function") {
        const error = new TypeError(`The "callback" argument must be of type function. Received ${shared.inspect(fn)}`);
        error.code = "ERR_INVALID_ARG_TYPE";
        throw error;
      }
      this._start = () => ids.set(this, native.startTimer(args.length === 0 ? () => fn.call(this) : () => fn.apply(this, args), Number(ms), repeat));
      Object.defineProperty(this, "_start", { enumerable: false });
      this._start();
    }
    ref() {
      native.refTimer(ids.get(this), true);
      return this;
    }
    unref() {
      native.refTimer(ids.get(this), false);
      return this;
    }
    hasRef() {
      return native.timerHasRef(ids.get(this));
    }
    refresh() {
      native.clearTimer(ids.get(this));
      this._start();
      return this;
    }
    close() {
      native.clearTimer(ids.get(this));
      return this;
    }
    [Symbol.toPrimitive]() {
      return ids.get(this);
    }
    [Symbol.dispose]() {
      this.close();
    }
  }
  const clear = (t) => {
    if (t instanceof Timeout) t.close();
    else if (typeof t === "number" || typeof t === "string") native.clearTimer(Number(t) || 0);
  };
  own("setTimeout", function setTimeout(fn, ms, ...args) {
    return new Timeout(fn, ms, args, false);
  });
  own("setInterval", function setInterval(fn, ms, ...args) {
    return new Timeout(fn, ms, args, true);
  });
  own("setImmediate", function setImmediate(fn, ...args) {
    return new Timeout(fn, 0, args, false);
  });
  own("clearTimeout", function clearTimeout(t) {
    clear(t);
  });
  own("clearInterval", function clearInterval(t) {
    clear(t);
  });
  own("clearImmediate", function clearImmediate(t) {
    clear(t);
  });
  const resolved = Promise.resolve();
  const then = shared.uncurry(Promise.prototype.then);
  own("queueMicrotask", function queueMicrotask(fn) {
    if (typeof fn !== "function") throw new TypeError('The "callback" argument must be of type function.');
    then(resolved, () => {
      try {
        fn();
      } catch (error) {
        native.uncaught(error);
      }
    });
  });

  own("performance", {
    now: () => native.now(),
    timeOrigin: Date.now(),
    mark() {},
    measure() {},
    toJSON() {
      return { timeOrigin: this.timeOrigin };
    },
  });

  // process
  const stream = (level) => ({
    write(text) {
      text = typeof text === "string" ? text : new TextDecoder().decode(text);
      if (level === "log" && native.isScript()) native.print(text);
      write(level, text.endsWith("\n") ? text.slice(0, -1) : text);
      return true;
    },
    isTTY: false,
    columns: 80,
  });
  const exit = () => {
    throw new Error("process.exit is not available in node tools: return from the function instead");
  };
  own("process", {
    version: "v22.12.0",
    versions: { node: "22.12.0" },
    platform: native.platform,
    arch: native.arch,
    pid: 1,
    env: {},
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
      queueMicrotask(() => fn(...args));
    },
    emitWarning(warning) {
      write("warn", typeof warning === "string" ? warning : shared.format(warning));
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
  });

  // made at first use
  lazy("URL", () => native.module("url").URL);
  lazy("URLSearchParams", () => native.module("url").URLSearchParams);
  lazy("Buffer", () => native.module("buffer").Buffer);
  for (const name of ["TextEncoder", "TextDecoder", "atob", "btoa", "structuredClone", "AbortController", "AbortSignal", "Event", "EventTarget", "CustomEvent", "DOMException", "crypto"]) {
    lazy(name, () => native.module("web")[name]);
  }
  Object.defineProperty(globalThis, "global", { value: globalThis, writable: true, configurable: true, enumerable: false });
})
