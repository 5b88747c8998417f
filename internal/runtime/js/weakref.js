// WeakRef and FinalizationRegistry. Nothing is collected while a run lasts, so
// that a reference may hold on to its target.
(function (native, shared) {
  const targets = new WeakMap();
  class WeakRef {
    constructor(target) {
      const held = typeof target === "symbol" ? Symbol.keyFor(target) === undefined : (typeof target === "object" && target !== null) || typeof target === "function";
      if (!held) throw new TypeError("WeakRef: invalid target");
      targets.set(this, target);
    }
    deref() {
      return targets.get(this);
    }
    get [Symbol.toStringTag]() {
      return "WeakRef";
    }
  }
  class FinalizationRegistry {
    constructor(cleanup) {
      if (typeof cleanup !== "function") throw new TypeError("FinalizationRegistry: cleanup must be callable");
    }
    register() {}
    unregister() {
      return false;
    }
  }
  shared.classes.WeakRef = WeakRef;
  return { WeakRef, FinalizationRegistry };
})
