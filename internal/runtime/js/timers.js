// Timers and queueMicrotask, as in Node.
(function (native, shared) {
  shared.timers = {};
  const ids = new WeakMap();
  const task = (timer, fn, args) => () => {
    fn.apply(timer, args);
    native.runTicks();
  };
  const notCallable = (fn) => {
    const error = new TypeError(`The "callback" argument must be of type function. Received ${shared.received(fn)}`);
    error.code = "ERR_INVALID_ARG_TYPE";
    return error;
  };
  class Timeout {
    constructor(fn, ms, args, repeat) {
      if (typeof fn !== "function") throw notCallable(fn);
      this._start = () => ids.set(this, native.startTimer(task(this, fn, args), Number(ms), repeat));
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
  class Immediate {
    constructor(fn, args) {
      if (typeof fn !== "function") throw notCallable(fn);
      ids.set(this, native.startImmediate(task(this, fn, args)));
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
    [Symbol.dispose]() {
      native.clearTimer(ids.get(this));
    }
  }
  const clear = (t) => {
    if (t instanceof Timeout || t instanceof Immediate) native.clearTimer(ids.get(t));
    else if (typeof t === "number" || typeof t === "string") native.clearTimer(Number(t) || 0);
  };
  shared.timers.setTimeout = function setTimeout(fn, ms, ...args) {
    return new Timeout(fn, ms, args, false);
  };
  shared.timers.setInterval = function setInterval(fn, ms, ...args) {
    return new Timeout(fn, ms, args, true);
  };
  shared.timers.setImmediate = function setImmediate(fn, ...args) {
    return new Immediate(fn, args);
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
    if (typeof fn !== "function") throw notCallable(fn);
    then(resolved, () => {
      try {
        fn();
      } catch (error) {
        native.uncaught(error);
      }
    });
  };
  const promisified = Symbol.for("nodejs.util.promisify.custom");
  for (const name of ["setTimeout", "setImmediate"]) {
    Object.defineProperty(shared.timers[name], promisified, { get: () => native.module("timers/promises")[name], configurable: true });
  }
  return shared.timers;
})
