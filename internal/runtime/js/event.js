// Events and the signals that abort: globals made at their first use.
(function (native, shared) {
  const fail = (Class, code, message) => {
    const error = new Class(message);
    error.code = code;
    throw error;
  };
  const uncaught = (error) => native.uncaught(error);

  // What an event has that its target sets while it is dispatched.
  const states = new WeakMap();
  const NONE = 0;
  const AT_TARGET = 2;
  class Event {
    constructor(type, options) {
      if (arguments.length === 0) fail(TypeError, "ERR_MISSING_ARGS", 'The "type" argument must be specified');
      const { bubbles = false, cancelable = false, composed = false } = options === undefined || options === null ? {} : options;
      states.set(this, { type: `${type}`, bubbles: !!bubbles, cancelable: !!cancelable, composed: !!composed, timeStamp: native.now(), target: null, phase: NONE, prevented: false, passive: false, ended: false, stopped: false });
      Object.defineProperty(this, "isTrusted", { value: false, enumerable: true });
    }
    get type() {
      return states.get(this).type;
    }
    get bubbles() {
      return states.get(this).bubbles;
    }
    get cancelable() {
      return states.get(this).cancelable;
    }
    get composed() {
      return states.get(this).composed;
    }
    get timeStamp() {
      return states.get(this).timeStamp;
    }
    get target() {
      return states.get(this).target;
    }
    get srcElement() {
      return states.get(this).target;
    }
    get currentTarget() {
      const s = states.get(this);
      return s.phase === NONE ? null : s.target;
    }
    get eventPhase() {
      return states.get(this).phase;
    }
    get defaultPrevented() {
      return states.get(this).prevented;
    }
    get returnValue() {
      return !states.get(this).prevented;
    }
    get cancelBubble() {
      return states.get(this).stopped;
    }
    composedPath() {
      const s = states.get(this);
      return s.phase === NONE ? [] : [s.target];
    }
    preventDefault() {
      const s = states.get(this);
      if (s.cancelable && !s.passive) s.prevented = true;
    }
    stopPropagation() {
      states.get(this).stopped = true;
    }
    stopImmediatePropagation() {
      const s = states.get(this);
      s.stopped = s.ended = true;
    }
    static NONE = NONE;
    static CAPTURING_PHASE = 1;
    static AT_TARGET = AT_TARGET;
    static BUBBLING_PHASE = 3;
    get [Symbol.toStringTag]() {
      return "Event";
    }
  }
  class CustomEvent extends Event {
    #detail;
    constructor(type, options) {
      if (arguments.length === 0) super();
      else super(type, options);
      const detail = options ? options.detail : undefined;
      this.#detail = detail === undefined ? null : detail;
    }
    get detail() {
      return this.#detail;
    }
  }

  class EventTarget {
    #listeners = new Map();
    addEventListener(type, listener, options) {
      if (listener === null || listener === undefined) return;
      if (typeof listener !== "function" && typeof listener !== "object") fail(TypeError, "ERR_INVALID_ARG_TYPE", `The "listener" argument must be an instance of EventListener. Received ${shared.received(listener)}`);
      const given = typeof options === "boolean" ? { capture: options } : options || {};
      const capture = !!given.capture;
      const { signal } = given;
      if (signal && signal.aborted) return;
      const list = this.#listeners.get(`${type}`) || [];
      if (list.some((l) => l.listener === listener && l.capture === capture)) return;
      this.#listeners.set(`${type}`, [...list, { listener, capture, once: !!given.once, passive: !!given.passive, removed: false }]);
      if (signal) signal.addEventListener("abort", () => this.removeEventListener(type, listener, { capture }), { once: true });
    }
    removeEventListener(type, listener, options) {
      const capture = !!(typeof options === "boolean" ? options : options && options.capture);
      const list = this.#listeners.get(`${type}`) || [];
      const found = list.find((l) => l.listener === listener && l.capture === capture);
      if (!found) return;
      found.removed = true;
      this.#listeners.set(`${type}`, list.filter((l) => l !== found));
    }
    dispatchEvent(event) {
      const state = states.get(event);
      if (state === undefined) fail(TypeError, "ERR_INVALID_ARG_TYPE", `The "event" argument must be an instance of Event. Received ${shared.received(event)}`);
      if (state.phase !== NONE) fail(Error, "ERR_EVENT_RECURSION", `The event "${state.type}" is already being dispatched`);
      state.target = this;
      state.phase = AT_TARGET;
      for (const l of this.#listeners.get(state.type) || []) {
        if (l.removed) continue;
        if (l.once) this.removeEventListener(state.type, l.listener, l.capture);
        state.passive = l.passive;
        try {
          if (typeof l.listener === "function") l.listener.call(this, event);
          else l.listener.handleEvent(event);
        } catch (error) {
          uncaught(error);
        }
        if (state.ended) break;
      }
      state.phase = NONE;
      state.ended = state.stopped = state.passive = false;
      return !state.prevented;
    }
    get [Symbol.toStringTag]() {
      return "EventTarget";
    }
  }

  const secret = {};
  let abortSignal;
  class AbortSignal extends EventTarget {
    #aborted = false;
    #reason = undefined;
    #onabort = null;
    #listens = false;
    constructor(key) {
      if (key !== secret) fail(TypeError, "ERR_ILLEGAL_CONSTRUCTOR", "Illegal constructor");
      super();
    }
    get aborted() {
      return this.#aborted;
    }
    get reason() {
      return this.#reason;
    }
    get onabort() {
      return this.#onabort;
    }
    set onabort(handler) {
      this.#onabort = typeof handler === "function" ? handler : null;
      if (this.#onabort && !this.#listens) {
        this.#listens = true; // its place among the listeners is that of the first
        this.addEventListener("abort", (event) => this.#onabort && this.#onabort(event));
      }
    }
    throwIfAborted() {
      if (this.#aborted) throw this.#reason;
    }
    static {
      abortSignal = (signal, reason) => {
        if (signal.#aborted) return;
        signal.#aborted = true;
        signal.#reason = reason === undefined ? new shared.DOMException("This operation was aborted", "AbortError") : reason;
        signal.dispatchEvent(new Event("abort"));
      };
    }
    static abort(reason) {
      const signal = new AbortSignal(secret);
      abortSignal(signal, reason);
      return signal;
    }
    static timeout(ms) {
      if (!Number.isInteger(ms) || ms < 0) fail(typeof ms === "number" ? RangeError : TypeError, typeof ms === "number" ? "ERR_OUT_OF_RANGE" : "ERR_INVALID_ARG_TYPE", typeof ms === "number" ? `The value of "delay" is out of range. It must be >= 0 && <= 4294967295. Received ${ms}` : `The "delay" argument must be of type number. Received ${shared.received(ms)}`);
      const signal = new AbortSignal(secret);
      setTimeout(() => abortSignal(signal, new shared.DOMException("The operation was aborted due to timeout", "TimeoutError")), ms).unref();
      return signal;
    }
    static any(signals) {
      const result = new AbortSignal(secret);
      for (const signal of signals) {
        if (signal.aborted) {
          abortSignal(result, signal.reason);
          break;
        }
        signal.addEventListener("abort", () => abortSignal(result, signal.reason), { once: true });
      }
      return result;
    }
    get [Symbol.toStringTag]() {
      return "AbortSignal";
    }
    [Symbol.for("nodejs.util.inspect.custom")]() {
      return `AbortSignal { aborted: ${this.#aborted} }`;
    }
  }
  class AbortController {
    #signal = new AbortSignal(secret);
    get signal() {
      return this.#signal;
    }
    abort(reason) {
      abortSignal(this.#signal, reason);
    }
    get [Symbol.toStringTag]() {
      return "AbortController";
    }
    [Symbol.for("nodejs.util.inspect.custom")]() {
      return `AbortController { signal: AbortSignal { aborted: ${this.#signal.aborted} } }`;
    }
  }
  Object.assign(shared.classes, { AbortController, AbortSignal, Event, EventTarget });
  return { AbortController, AbortSignal, Event, EventTarget, CustomEvent };
})
