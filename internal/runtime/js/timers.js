// Timers and queueMicrotask, as in Node.
(function (native, shared) {
  shared.timers = {};
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
  shared.timers.setTimeout = function setTimeout(fn, ms, ...args) {
    return new Timeout(fn, ms, args, false);
  };
  shared.timers.setInterval = function setInterval(fn, ms, ...args) {
    return new Timeout(fn, ms, args, true);
  };
  shared.timers.setImmediate = function setImmediate(fn, ...args) {
    return new Timeout(fn, 0, args, false);
  };
  shared.timers.clearTimeout = function clearTimeout(t) {
    clear(t);
  };
  shared.timers.clearInterval = function clearInterval(t) {
    clear(t);
  };
  shared.timers.clearImmediate = function clearImmediate(t) {
    clear(t);
  };
  const resolved = Promise.resolve();
  const then = Function.prototype.call.bind(Promise.prototype.then);
  shared.timers.queueMicrotask = function queueMicrotask(fn) {
    if (typeof fn !== "function") throw new TypeError('The "callback" argument must be of type function.');
    then(resolved, () => {
      try {
        fn();
      } catch (error) {
        native.uncaught(error);
      }
    });
  };
  return shared.timers;
})
