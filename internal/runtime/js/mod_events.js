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
  class EventEmitter {
    static defaultMaxListeners = 10;
    on(name, fn) {
      return this.#add(name, check(fn), false);
    }
    #add(name, entry, first) {
      const events = listenersOf(this);
      if (events.has("newListener")) this.emit("newListener", name, entry.listener || entry);
      const list = events.get(name) || [];
      events.set(name, first ? [entry, ...list] : [...list, entry]);
      return this;
    }
    #once(name, fn) {
      const wrapper = (...args) => {
        this.off(name, wrapper);
        return fn.apply(this, args);
      };
      wrapper.listener = check(fn);
      return wrapper;
    }
    once(name, fn) {
      return this.#add(name, this.#once(name, fn), false);
    }
    prependListener(name, fn) {
      return this.#add(name, check(fn), true);
    }
    prependOnceListener(name, fn) {
      return this.#add(name, this.#once(name, fn), true);
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
      if (!list || list.length === 0) {
        if (name === "error") throw args[0] instanceof Error ? args[0] : new Error(`Unhandled error. (${shared.inspect(args[0])})`);
        return false;
      }
      for (const fn of list) fn.apply(this, args);
      return true;
    }
    removeAllListeners(name) {
      if (name === undefined) listenersOf(this).clear();
      else listenersOf(this).delete(name);
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
  EventEmitter.prototype.addListener = EventEmitter.prototype.on;
  EventEmitter.prototype.removeListener = EventEmitter.prototype.off;
  for (const name of ["addListener", "removeListener"]) Object.defineProperty(EventEmitter.prototype, name, { enumerable: false });
  EventEmitter.EventEmitter = EventEmitter;
  EventEmitter.once = (emitter, name, { signal } = {}) =>
    new Promise((resolve, reject) => {
      if (signal && signal.aborted) return reject(signal.reason);
      const failed = (error) => {
        emitter.off(name, done);
        reject(error);
      };
      const done = (...args) => {
        emitter.off("error", failed);
        resolve(args);
      };
      if (name !== "error") emitter.once("error", failed);
      emitter.once(name, done);
      if (signal) signal.addEventListener("abort", () => failed(signal.reason), { once: true });
    });
  return EventEmitter;
})
