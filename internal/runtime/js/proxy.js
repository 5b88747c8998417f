// Proxy for functions. The arguments that the engine gives to the traps apply and
// construct lie in a place that it uses again, so that a trap that keeps them saw
// them change; here it gets a copy. And instanceof does not know a proxy.
(function (native, shared) {
  const Native = globalThis.Proxy;
  const usual = Function.prototype[Symbol.hasInstance];
  const read = (handler, target, key, receiver) => {
    const trap = handler.get;
    const value = trap === undefined || trap === null ? Reflect.get(target, key, receiver) : trap.call(handler, target, key, receiver);
    if (key !== Symbol.hasInstance || value !== usual) return value;
    return (v) => v !== null && (typeof v === "object" || typeof v === "function") && Object.prototype.isPrototypeOf.call(receiver.prototype, v);
  };
  const copying = {
    get(handler, key) {
      if (key === "get") return (target, name, receiver) => read(handler, target, name, receiver);
      const trap = handler[key];
      if (typeof trap !== "function") return trap;
      if (key === "apply") return (target, self, args) => trap.call(handler, target, self, [...args]);
      if (key === "construct") return (target, args, Class) => trap.call(handler, target, [...args], Class);
      return (...args) => trap.apply(handler, args);
    },
  };
  const handlerFor = (target, handler) => (typeof target === "function" && typeof handler === "object" && handler !== null ? new Native(handler, copying) : handler);
  function Proxy(target, handler) {
    if (new.target === undefined) throw new TypeError("Constructor Proxy requires 'new'");
    return new Native(target, handlerFor(target, handler));
  }
  Object.defineProperty(Proxy, "revocable", { value: (target, handler) => Native.revocable(target, handlerFor(target, handler)), writable: true, configurable: true });
  Object.defineProperty(Proxy, "prototype", { value: undefined, writable: false });
  Object.defineProperty(globalThis, "Proxy", { value: Proxy, writable: true, configurable: true, enumerable: false });
})
