// Iterator and its helpers. It is run when a helper is first asked for.
(function (native, shared) {
  const proto = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
  const define = (target, name, value) => Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: false });
  const methods = (target, group) => {
    for (const name of Reflect.ownKeys(group)) define(target, name, group[name]);
  };
  const callable = (fn) => {
    if (typeof fn !== "function") throw new TypeError(`${String(fn)} is not a function`);
    return fn;
  };
  const Iterator = function Iterator() {
    if (new.target === undefined || new.target === Iterator) throw new TypeError("Abstract class Iterator not directly constructable");
  };
  Object.defineProperty(Iterator, "prototype", { value: proto, writable: false, enumerable: false, configurable: false });
  define(proto, "constructor", Iterator);
  define(proto, Symbol.toStringTag, "Iterator");
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
  define(proto, Symbol.dispose, function () {
    if (typeof this.return === "function") this.return();
  });
  return Iterator;
})
