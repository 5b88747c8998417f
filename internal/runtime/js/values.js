// Values on their way in and out: tagged JSON, errors of host calls, and the
// questions the encoder of results asks.
(function (native, shared) {
  const { parse } = shared;
  const { isArray } = Array;
  const { defineProperty, entries, keys, getPrototypeOf } = Object;
  const NativePromise = Promise;
  const NativeError = Error;
  const NativeRegExp = RegExp;
  const call = Function.prototype.call;
  const uncurry = (fn) => call.bind(fn);
  const objectText = uncurry(Object.prototype.toString);
  const sizeOf = (proto) => uncurry(Object.getOwnPropertyDescriptor(proto, "size").get);

  shared.isArray = isArray;
  shared.entries = entries;
  shared.uncurry = uncurry;
  shared.classes = { __proto__: null };

  // Tagged values, as in "value is JSON" of docs/protocol.md.
  const untag = {
    number: (v) => Number(v.value),
    bigint: (v) => BigInt(v.value),
    map: (v) => new Map(v.value.map((pair) => [revive(pair[0]), revive(pair[1])])),
    set: (v) => new Set(v.value.map(revive)),
    regexp: (v) => {
      const end = v.value.lastIndexOf("/");
      return new NativeRegExp(v.value.slice(1, end), v.value.slice(end + 1));
    },
    error: (v) => {
      const error = new NativeError(v.message);
      defineProperty(error, "name", { value: v.name, writable: true, configurable: true });
      defineProperty(error, "stack", { value: v.stack, writable: true, configurable: true });
      return error;
    },
    date: () => new Date(NaN),
  };
  function revive(v) {
    if (v === null || typeof v !== "object") return v;
    if (isArray(v)) {
      for (let i = 0; i < v.length; i++) v[i] = revive(v[i]);
      return v;
    }
    const tag = Object.prototype.hasOwnProperty.call(v, "$type") ? untag[v.$type] : undefined;
    if (tag) {
      try {
        return tag(v);
      } catch {
        return v; // an object of the page that only looks like a tag
      }
    }
    for (const key of keys(v)) v[key] = revive(v[key]);
    return v;
  }
  shared.parseTagged = (text) => revive(parse(text));

  // adopt makes a promise of a thenable and leaves other values alone.
  shared.adopt = (v) => (typeof v.then === "function" ? new NativePromise((resolve) => resolve(v)) : v);

  shared.hostError = (title, message, kind, data, frames) => {
    const error = new NativeError(message);
    const set = (name, value) => defineProperty(error, name, { value, writable: true, configurable: true, enumerable: name !== "stack" && name !== "name" });
    if (title !== "Error") set("name", title);
    set("stack", title + ": " + message + "\n" + frames);
    if (kind) {
      set("kind", kind);
      set("code", data && typeof data === "object" && data.code !== undefined ? data.code : kind);
    }
    if (data !== undefined) {
      set("data", data);
      if (data && typeof data.hint === "string") set("hint", data.hint);
    }
    return error;
  };

  // classOf tells classes apart by what only their instances can do.
  const mapSize = sizeOf(Map.prototype);
  const setSize = sizeOf(Set.prototype);
  const dateValue = uncurry(Date.prototype.getTime);
  const typedArrayTag = uncurry(Object.getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get);
  const weakMapHas = uncurry(WeakMap.prototype.has);
  const weakSetHas = uncurry(WeakSet.prototype.has);
  const isView = ArrayBuffer.isView;
  const bufferSize = uncurry(Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, "byteLength").get);
  const iteratorPrototype = getPrototypeOf(getPrototypeOf([][Symbol.iterator]()));
  const holds = (test, v) => {
    try {
      test(v);
      return true;
    } catch {
      return false;
    }
  };
  const isMap = (v) => holds(mapSize, v);
  const isSet = (v) => holds(setSize, v);
  const isPromise = (v) => v instanceof NativePromise;
  const isBuffer = (v) => holds(bufferSize, v);
  const holdsDate = (v) => holds(dateValue, v);
  Object.assign(shared, { isMap, isSet, isPromise, isBuffer, dateValue, holdsDate });

  shared.classOf = (v) => {
    const text = objectText(v);
    switch (text) {
      case "[object Array]":
        return "";
      case "[object Date]":
        return holds(dateValue, v) ? "Date" : "";
      case "[object RegExp]":
        return v instanceof NativeRegExp ? "RegExp" : "";
      case "[object Number]":
      case "[object String]":
      case "[object Boolean]":
        return holds((x) => getPrototypeOf(x).valueOf.call(x), v) ? "Boxed" : "";
      case "[object BigInt]":
        return holds((x) => BigInt.prototype.valueOf.call(x), v) ? "Boxed" : "";
      case "[object Symbol]":
        return holds((x) => Symbol.prototype.valueOf.call(x), v) ? "Symbol" : "";
      case "[object Generator]":
      case "[object AsyncGenerator]":
        return "Generator";
    }
    if (isArray(v)) return "";
    if (v instanceof NativeError) return "Error";
    if (isPromise(v)) return "Promise";
    if (isMap(v)) return "Map";
    if (isSet(v)) return "Set";
    if (isView(v) || isBuffer(v)) return "Bytes";
    if (holds((x) => weakMapHas(x, x), v)) return "WeakMap";
    if (holds((x) => weakSetHas(x, x), v)) return "WeakSet";
    if (iteratorPrototype.isPrototypeOf(v)) return "Iterator";
    for (const name of ["WeakRef", "URLSearchParams", "AbortSignal", "AbortController"]) {
      const known = shared.classes[name];
      if (known && v instanceof known) return name;
    }
    return "Instance";
  };
  // Objects that stand for something outside: their members say nothing.
  shared.isHostObject = (v) => ["URL", "Event", "EventTarget"].some((name) => shared.classes[name] && v instanceof shared.classes[name]);
  shared.unbox = (v) => v.valueOf();
  shared.listOf = (v) => Array.from(isMap(v) ? Map.prototype.entries.call(v) : Set.prototype.values.call(v));
  shared.numbersOf = (v) => {
    if (isView(v) && typedArrayTag(v)) return Array.prototype.slice.call(v);
    const bytes = isView(v) ? new Uint8Array(v.buffer, v.byteOffset, v.byteLength) : new Uint8Array(v);
    return Array.prototype.slice.call(bytes);
  };
})
