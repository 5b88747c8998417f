// Functions that Node 22 has and the engine lacks. Each is defined as the language
// does: writable, configurable and not enumerable.
(function (native, shared) {
  const callable = (fn) => {
    if (typeof fn !== "function") throw new TypeError(`${String(fn)} is not a function`);
    return fn;
  };
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
  const define = (target, methods) => {
    for (const name of Object.keys(methods)) Object.defineProperty(target, name, { value: methods[name], writable: true, configurable: true, enumerable: false });
  };
  define(Object, {
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
  define(Map, {
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
  const nativeAny = Promise.any;
  define(Promise, {
    any(promises) {
      return nativeAny.call(this, promises).then(undefined, (error) => {
        if (error instanceof AggregateError && error.message === "") Object.defineProperty(error, "message", { value: "All promises were rejected", writable: true, configurable: true });
        throw error;
      });
    },
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
  define(Array, {
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
  define(String.prototype, {
    isWellFormed() {
      return wellFormed(`${this}`) < 0;
    },
    toWellFormed() {
      let s = `${this}`;
      for (let at = wellFormed(s); at >= 0; at = wellFormed(s)) s = s.slice(0, at) + "\ufffd" + s.slice(at + 1);
      return s;
    },
  });
  define(Error, {
    captureStackTrace(target) {
      const stack = new Error().stack.split("\n").slice(2).join("\n");
      Object.defineProperty(target, "stack", { value: `${target.name || "Error"}${target.message ? ": " + target.message : ""}\n${stack}`, writable: true, configurable: true });
    },
  });
})
