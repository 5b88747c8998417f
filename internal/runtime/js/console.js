// console: its output goes to the logs of the run, and what a script prints with
// console.log to the script's output too.
(function (native, shared) {
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
  return {
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
    table(v, columns) {
      write("log", typeof v === "object" && v !== null ? shared.table(v, columns) : shared.format(v));
    },
    clear() {},
    assert(ok, ...args) {
      if (!ok) write("error", args.length ? "Assertion failed: " + shared.format(...args) : "Assertion failed");
    },
    count(label = "default") {
      const n = (counts.get(`${label}`) || 0) + 1;
      counts.set(`${label}`, n);
      write("log", `${label}: ${n}`);
    },
    timeStamp() {},
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
  };
})
