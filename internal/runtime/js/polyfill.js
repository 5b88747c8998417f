// What Node 22 has and the engine lacks. Each is defined as the language does:
// writable, configurable, not enumerable, and only where it is missing.
(function (native, shared) {
  const define = (target, name, value) => {
    if (!(name in target)) Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });
  };
  const constant = (target, name, value) => {
    if (!(name in target)) Object.defineProperty(target, name, { value, writable: false, configurable: false, enumerable: false });
  };
  // methods gives functions the form of built-in ones: no prototype, no new.
  const methods = (target, group) => {
    for (const name of Reflect.ownKeys(group)) define(target, name, group[name]);
  };
  const callable = (fn, what) => {
    if (typeof fn !== "function") throw new TypeError(`${what || String(fn)} is not a function`);
    return fn;
  };

  constant(Symbol, "asyncIterator", Symbol("Symbol.asyncIterator"));
  constant(Symbol, "dispose", Symbol("Symbol.dispose"));
  constant(Symbol, "asyncDispose", Symbol("Symbol.asyncDispose"));

  methods(Object, {
    groupBy(items, callback) {
      callable(callback);
      const groups = Object.create(null);
      let i = 0;
      for (const item of items) {
        const given = callback(item, i++);
        const key = typeof given === "symbol" ? given : `${given}`;
        if (key in groups) groups[key].push(item);
        else groups[key] = [item];
      }
      return groups;
    },
  });
  methods(Map, {
    groupBy(items, callback) {
      callable(callback);
      const groups = new Map();
      let i = 0;
      for (const item of items) {
        const key = callback(item, i++);
        const group = groups.get(key);
        if (group) group.push(item);
        else groups.set(key, [item]);
      }
      return groups;
    },
  });
  methods(Promise, {
    withResolvers() {
      let resolve, reject;
      const promise = new this((res, rej) => {
        resolve = res;
        reject = rej;
      });
      return { promise, resolve, reject };
    },
    try(fn, ...args) {
      return new this((resolve) => resolve(fn(...args)));
    },
  });
  methods(Array, {
    async fromAsync(source, map, thisArg) {
      if (map !== undefined) callable(map);
      const result = typeof this === "function" && this !== Array ? new this() : [];
      let i = 0;
      const add = async (value) => {
        result[i] = map ? await map.call(thisArg, value, i) : value;
        i++;
      };
      const asyncMethod = source[Symbol.asyncIterator];
      if (asyncMethod != null) {
        const it = asyncMethod.call(source);
        for (let step = await it.next(); !step.done; step = await it.next()) await add(step.value);
      } else if (source[Symbol.iterator] != null) {
        for (const value of source) await add(await value);
      } else {
        const length = Math.min(Math.max(Math.trunc(Number(source.length)) || 0, 0), Number.MAX_SAFE_INTEGER);
        for (let k = 0; k < length; k++) await add(await source[k]);
      }
      result.length = i;
      return result;
    },
  });

  const wellFormed = (s) => {
    for (let i = 0; i < s.length; i++) {
      const c = s.charCodeAt(i);
      if (c < 0xd800 || c > 0xdfff) continue;
      const d = s.charCodeAt(i + 1);
      if (c > 0xdbff || !(d >= 0xdc00 && d <= 0xdfff)) return i;
      i++;
    }
    return -1;
  };
  methods(String.prototype, {
    isWellFormed() {
      return wellFormed(`${this}`) < 0;
    },
    toWellFormed() {
      let s = `${this}`;
      for (let at = wellFormed(s); at >= 0; at = wellFormed(s)) s = s.slice(0, at) + "\ufffd" + s.slice(at + 1);
      return s;
    },
  });

  if (typeof Error.captureStackTrace !== "function") {
    methods(Error, {
      captureStackTrace(target) {
        const stack = new Error().stack.split("\n").slice(2).join("\n");
        Object.defineProperty(target, "stack", { value: `${target.name || "Error"}${target.message ? ": " + target.message : ""}\n${stack}`, writable: true, configurable: true });
      },
    });
    Error.stackTraceLimit = 10;
  }

  // Nothing is collected while a run lasts, so that a WeakRef may hold on.
  if (typeof WeakRef === "undefined") {
    const targets = new WeakMap();
    const Ref = class WeakRef {
      constructor(target) {
        if ((typeof target !== "object" || target === null) && typeof target !== "function") throw new TypeError("WeakRef: target must be an object");
        targets.set(this, target);
      }
      deref() {
        return targets.get(this);
      }
      get [Symbol.toStringTag]() {
        return "WeakRef";
      }
    };
    define(globalThis, "WeakRef", Ref);
    shared.classes.WeakRef = Ref;
  }
  if (typeof FinalizationRegistry === "undefined") {
    define(
      globalThis,
      "FinalizationRegistry",
      class FinalizationRegistry {
        constructor(cleanup) {
          callable(cleanup);
        }
        register() {}
        unregister() {
          return false;
        }
      },
    );
  }
  for (const [Class, dispose] of [[shared.iteratorPrototype, "return"]]) {
    define(Class, Symbol.dispose, function () {
      if (typeof this[dispose] === "function") this[dispose]();
    });
  }

  // Iterator helpers.
  const proto = shared.iteratorPrototype;
  if (typeof Iterator === "undefined") {
    const Iterator = function Iterator() {
      if (new.target === undefined || new.target === Iterator) throw new TypeError("Abstract class Iterator not directly constructable");
    };
    Object.defineProperty(Iterator, "prototype", { value: proto, writable: false, enumerable: false, configurable: false });
    define(proto, "constructor", Iterator);
    define(proto, Symbol.toStringTag, "Iterator");
    define(globalThis, "Iterator", Iterator);
    methods(Iterator, {
      from(source) {
        const method = source[Symbol.iterator];
        const it = method == null ? source : method.call(source);
        if (proto.isPrototypeOf(it)) return it;
        return wrap(it, {
          next() {
            return it.next();
          },
        });
      },
    });
    const wrap = (source, own) => {
      const helper = Object.create(proto);
      define(helper, "next", own.next);
      define(helper, "return", () => {
        if (typeof source.return === "function") source.return();
        return { value: undefined, done: true };
      });
      return helper;
    };
    const direct = (it) => {
      if ((typeof it !== "object" && typeof it !== "function") || it === null) throw new TypeError("Iterator helper called on a value that is no object");
      const next = it.next;
      return () => {
        const step = next.call(it);
        if (typeof step !== "object" || step === null) throw new TypeError(`Iterator result ${String(step)} is not an object`);
        return step;
      };
    };
    const closing = (it, fn) => {
      try {
        return fn();
      } catch (error) {
        try {
          if (typeof it.return === "function") it.return();
        } catch {
          // the first error counts
        }
        throw error;
      }
    };
    const lazily = (it, start) => {
      const generator = start(direct(it));
      let done = false;
      return wrap(it, {
        next() {
          if (done) return { value: undefined, done: true };
          let step;
          try {
            step = generator.next();
          } catch (error) {
            done = true;
            throw error;
          }
          done = step.done;
          return step;
        },
      });
    };
    const limitOf = (n) => {
      const number = Number(n);
      if (Number.isNaN(number)) throw new RangeError(`${n} must be positive`);
      const whole = Math.trunc(number);
      if (whole < 0) throw new RangeError(`${n} must be positive`);
      return whole;
    };
    methods(proto, {
      map(fn) {
        callable(fn);
        return lazily(this, function* (next) {
          let i = 0;
          for (let s = next(); !s.done; s = next()) yield closing(this, () => fn(s.value, i++));
        }.bind(this));
      },
      filter(fn) {
        callable(fn);
        return lazily(this, function* (next) {
          let i = 0;
          for (let s = next(); !s.done; s = next()) if (closing(this, () => fn(s.value, i++))) yield s.value;
        }.bind(this));
      },
      take(n) {
        const limit = limitOf(n);
        const it = this;
        return lazily(it, function* (next) {
          for (let left = limit; left > 0; left--) {
            const s = next();
            if (s.done) return;
            yield s.value;
          }
          if (typeof it.return === "function") it.return();
        });
      },
      drop(n) {
        const count = limitOf(n);
        return lazily(this, function* (next) {
          for (let left = count; left > 0; left--) if (next().done) return;
          for (let s = next(); !s.done; s = next()) yield s.value;
        });
      },
      flatMap(fn) {
        callable(fn);
        return lazily(this, function* (next) {
          let i = 0;
          for (let s = next(); !s.done; s = next()) {
            const inner = closing(this, () => {
              const v = fn(s.value, i++);
              if (typeof v === "string" || v === null || typeof v !== "object") throw new TypeError(`${String(v)} is not an object`);
              return v;
            });
            yield* inner[Symbol.iterator] ? inner : Iterator.from(inner);
          }
        }.bind(this));
      },
      reduce(fn, ...initial) {
        callable(fn);
        const next = direct(this);
        let acc = initial[0];
        let i = 0;
        if (initial.length === 0) {
          const first = next();
          if (first.done) throw new TypeError("Reduce of a done iterator with no initial value");
          acc = first.value;
          i = 1;
        }
        for (let s = next(); !s.done; s = next()) acc = closing(this, () => fn(acc, s.value, i++));
        return acc;
      },
      toArray() {
        const next = direct(this);
        const list = [];
        for (let s = next(); !s.done; s = next()) list.push(s.value);
        return list;
      },
      forEach(fn) {
        callable(fn);
        const next = direct(this);
        let i = 0;
        for (let s = next(); !s.done; s = next()) closing(this, () => fn(s.value, i++));
      },
      some(fn) {
        return search(this, fn, true, () => true, false);
      },
      every(fn) {
        return search(this, fn, false, () => false, true);
      },
      find(fn) {
        return search(this, fn, true, (v) => v, undefined);
      },
    });
    const search = (it, fn, want, found, otherwise) => {
      callable(fn);
      const next = direct(it);
      let i = 0;
      for (let s = next(); !s.done; s = next()) {
        if (closing(it, () => !!fn(s.value, i++)) === want) {
          if (typeof it.return === "function") it.return();
          return found(s.value);
        }
      }
      return otherwise;
    };
  }
})
