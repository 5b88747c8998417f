// node:events.
(function (native, shared) {
  const listenersOf = (emitter) => {
    if (!Object.prototype.hasOwnProperty.call(emitter, "_events")) {
      Object.defineProperty(emitter, "_events", { value: new Map(), writable: true, configurable: true, enumerable: false });
    }
    return emitter._events;
  };
  const check = (fn) => {
    if (typeof fn !== "function") {
      const error = new TypeError(`The "listener" argument must be of type function. Received ${shared.received(fn)}`);
      error.code = "ERR_INVALID_ARG_TYPE";
      throw error;
    }
    return fn;
  };
  const errorMonitor = Symbol("events.errorMonitor");
  const rejection = Symbol.for("nodejs.rejection");
  const hidden = (target, name, value) => Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });
  const add = (emitter, name, entry, first) => {
    const events = listenersOf(emitter);
    if (events.has("newListener")) emitter.emit("newListener", name, entry.listener || entry);
    const list = events.get(name) || [];
    events.set(name, first ? [entry, ...list] : [...list, entry]);
    return emitter;
  };
  const once = (emitter, name, fn) => {
    const wrapper = (...args) => {
      emitter.off(name, wrapper);
      return fn.apply(emitter, args);
    };
    wrapper.listener = check(fn);
    return wrapper;
  };
  const rejected = (emitter, error, name, args) => {
    process.nextTick(() => (typeof emitter[rejection] === "function" ? emitter[rejection](error, name, ...args) : emitter.emit("error", error)));
  };
  // A class of old calls it without new.
  function EventEmitter(options) {
    if (options && options.captureRejections) hidden(this, "_captures", true);
  }
  class Methods {
    on(name, fn) {
      return add(this, name, check(fn), false);
    }
    once(name, fn) {
      return add(this, name, once(this, name, fn), false);
    }
    prependListener(name, fn) {
      return add(this, name, check(fn), true);
    }
    prependOnceListener(name, fn) {
      return add(this, name, once(this, name, fn), true);
    }
    off(name, fn) {
      const events = listenersOf(this);
      const list = events.get(name) || [];
      const at = list.findLastIndex((l) => l === fn || l.listener === fn);
      if (at >= 0) {
        const rest = list.toSpliced(at, 1);
        if (rest.length > 0) events.set(name, rest);
        else events.delete(name);
        if (events.has("removeListener")) this.emit("removeListener", name, fn);
      }
      return this;
    }
    emit(name, ...args) {
      const list = listenersOf(this).get(name);
      if (name === "error" && listenersOf(this).has(errorMonitor)) this.emit(errorMonitor, ...args);
      if (!list || list.length === 0) {
        if (name !== "error") return false;
        if (args[0] instanceof Error) throw args[0];
        throw Object.assign(new Error(`Unhandled error. (${typeof args[0] === "string" ? `'${args[0]}'` : shared.inspect(args[0])})`), { code: "ERR_UNHANDLED_ERROR", context: args[0] });
      }
      for (const fn of list) {
        const result = fn.apply(this, args);
        if ((this._captures || EventEmitter.captureRejections) && result && typeof result.then === "function") result.then(undefined, (error) => rejected(this, error, name, args));
      }
      return true;
    }
    removeAllListeners(name) {
      const events = listenersOf(this);
      const told = events.has("removeListener");
      for (const key of name === undefined ? [...events.keys()].filter((k) => k !== "removeListener") : [name]) {
        const list = events.get(key) || [];
        if (told && key !== "removeListener") for (const fn of list.toReversed()) this.off(key, fn.listener || fn);
        events.delete(key);
      }
      if (name === undefined) events.clear();
      return this;
    }
    listeners(name) {
      return (listenersOf(this).get(name) || []).map((l) => l.listener || l);
    }
    rawListeners(name) {
      return [...(listenersOf(this).get(name) || [])];
    }
    listenerCount(name) {
      return (listenersOf(this).get(name) || []).length;
    }
    eventNames() {
      return [...listenersOf(this).keys()];
    }
    setMaxListeners(n) {
      Object.defineProperty(this, "_max", { value: n, writable: true, configurable: true, enumerable: false });
      return this;
    }
    getMaxListeners() {
      return this._max === undefined ? EventEmitter.defaultMaxListeners : this._max;
    }
  }
  EventEmitter.prototype = Methods.prototype;
  hidden(EventEmitter.prototype, "constructor", EventEmitter);
  EventEmitter.prototype.addListener = EventEmitter.prototype.on;
  EventEmitter.prototype.removeListener = EventEmitter.prototype.off;
  for (const name of ["addListener", "removeListener"]) Object.defineProperty(EventEmitter.prototype, name, { enumerable: false });
  EventEmitter.EventEmitter = EventEmitter;
  // isTarget tells an EventTarget of the web from an emitter of Node.
  const isTarget = (emitter) => typeof emitter.addEventListener === "function" && typeof emitter.on !== "function";
  const listen = (emitter, name, fn) => {
    if (isTarget(emitter)) {
      emitter.addEventListener(name, fn);
      return () => emitter.removeEventListener(name, fn);
    }
    emitter.on(name, fn);
    return () => emitter.off(name, fn);
  };
  const aborted = (signal) => Object.assign(Object.defineProperty(new Error("The operation was aborted", { cause: signal.reason }), "name", { value: "AbortError", writable: true, configurable: true }), { code: "ABORT_ERR" });
  EventEmitter.once = (emitter, name, { signal } = {}) =>
    new Promise((resolve, reject) => {
      if (signal && signal.aborted) throw aborted(signal);
      const stops = [];
      const settle = (fn) => (...args) => {
        for (const stop of stops) stop();
        fn(...args);
      };
      stops.push(listen(emitter, name, settle((...args) => resolve(args))));
      if (name !== "error" && !isTarget(emitter)) stops.push(listen(emitter, "error", settle(reject)));
      if (signal) stops.push(listen(signal, "abort", settle(() => reject(aborted(signal)))));
    });
  // on gives the events as an async iterator; those that nobody asked for yet wait.
  EventEmitter.on = (emitter, name, { signal, close = [] } = {}) => {
    if (signal && signal.aborted) throw aborted(signal);
    const events = [];
    const waiting = [];
    const stops = [];
    let failure;
    let done = false;
    const end = () => {
      done = true;
      for (const stop of stops.splice(0)) stop();
      for (const w of waiting.splice(0)) w.resolve({ value: undefined, done: true });
    };
    const fail = (error) => {
      for (const stop of stops.splice(0)) stop();
      if (waiting.length > 0) waiting.shift().reject(error);
      else failure = { error };
      end();
    };
    stops.push(listen(emitter, name, (...args) => (waiting.length > 0 ? waiting.shift().resolve({ value: args, done: false }) : events.push(args))));
    if (name !== "error" && !isTarget(emitter)) stops.push(listen(emitter, "error", fail));
    for (const other of close) stops.push(listen(emitter, other, end));
    if (signal) stops.push(listen(signal, "abort", () => fail(aborted(signal))));
    return {
      async next() {
        if (events.length > 0) return { value: events.shift(), done: false };
        if (failure) {
          const { error } = failure;
          failure = undefined;
          throw error;
        }
        if (done) return { value: undefined, done: true };
        return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
      },
      async return() {
        end();
        return { value: undefined, done: true };
      },
      async throw(error) {
        fail(error);
        return { value: undefined, done: true };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  };
  Object.assign(EventEmitter, {
    addAbortListener(signal, fn) {
      if (signal.aborted) queueMicrotask(() => fn());
      const stop = signal.aborted ? () => {} : listen(signal, "abort", fn);
      return { [Symbol.dispose]: stop };
    },
    captureRejectionSymbol: rejection,
    captureRejections: false,
    defaultMaxListeners: 10,
    errorMonitor,
    getEventListeners: (emitter, name) => emitter.listeners(name),
    getMaxListeners: (emitter) => emitter.getMaxListeners(),
    listenerCount: (emitter, name) => emitter.listenerCount(name),
    setMaxListeners(n, ...emitters) {
      for (const e of emitters) if (typeof e.setMaxListeners === "function") e.setMaxListeners(n);
    },
    usingDomains: false,
  });
  return EventEmitter;
})
