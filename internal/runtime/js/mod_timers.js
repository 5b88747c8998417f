// node:timers/promises.
(function (native, shared) {
  const aborted = (signal) => {
    const error = new Error("The operation was aborted", { cause: signal.reason });
    Object.defineProperty(error, "name", { value: "AbortError", configurable: true, writable: true });
    error.code = "ABORT_ERR";
    return error;
  };
  const wait = (start, clear) => (value, { signal, ref = true } = {}) =>
    new Promise((resolve, reject) => {
      if (signal && signal.aborted) return reject(aborted(signal));
      const timer = start(() => {
        if (signal) signal.removeEventListener("abort", abort); // it may outlive many timers
        resolve(value);
      });
      const abort = () => {
        clear(timer);
        reject(aborted(signal));
      };
      if (!ref) timer.unref();
      if (signal) signal.addEventListener("abort", abort, { once: true });
    });
  const sleep = (ms, value, options) => wait((done) => setTimeout(done, ms), clearTimeout)(value, options);
  return {
    setTimeout: sleep,
    setImmediate: (value, options) => wait((done) => setImmediate(done), clearImmediate)(value, options),
    setInterval: (ms, value, options) => ({
      next: () => sleep(ms, { value, done: false }, options),
      return: async () => ({ value: undefined, done: true }),
      [Symbol.asyncIterator]() {
        return this;
      },
    }),
    scheduler: { wait: (ms, options) => sleep(ms, undefined, options), yield: () => sleep(0) },
  };
})
