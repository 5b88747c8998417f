// Builds the ctx of a tool from the table of operations. Called once in every
// fresh runtime, before any code of a pack: host.call(name, args) runs an
// operation in the daemon, host.source(fn) gives the text of a function for the
// page, table is [{name, args: [{name, form}]}] as internal/ops/surface.go
// makes it. Only members that the table has exist on ctx.
(host, table) => {
  "use strict";

  // A call leaves out what was not given, so that the daemon's defaults hold.
  const collect = (binding, given) => {
    const params = {};
    binding.args.forEach((arg, i) => {
      const v = given[i];
      if (v === undefined) return;
      if (arg.form === "options") {
        if (v !== null && typeof v === "object") {
          for (const key of Object.keys(v)) if (v[key] !== undefined) params[key] = v[key];
        }
      } else if (arg.form === "function") {
        pageFunction(params, arg.name, v);
      } else {
        params[arg.name] = v;
      }
    });
    return params;
  };

  const pageFunction = (params, name, v) => {
    if (typeof v === "function") {
      params[name] = host.source(v);
      params.isFunction = true;
    } else if (typeof v === "string") {
      params[name] = v;
    } else {
      throw new TypeError("expects a string expression or function pageFunction, got " + (v === null ? "null" : typeof v));
    }
  };

  const invoke = (name, binding, given, base) => {
    let params;
    try {
      params = { ...base, ...collect(binding, given) };
    } catch (error) {
      return Promise.reject(error);
    }
    return host.call(name, params);
  };

  const bindings = new Map(table.map((row) => [row.name, row]));
  const ctx = {};

  // Objects nest by the dots of the name: "page.mouse.wheel" is ctx.page.mouse.wheel.
  const place = (name, fn) => {
    const parts = name.split(".");
    const last = parts.pop();
    let at = ctx;
    for (const part of parts) at = at[part] ??= {};
    Object.defineProperty(fn, "name", { value: last });
    at[last] = fn;
  };

  const locatorMethods = [];
  for (const [name, row] of bindings) {
    if (name.startsWith("locator.")) locatorMethods.push([name.slice("locator.".length), row]);
    else place(name, (...given) => invoke(name, row, given));
  }

  // A locator is a plain object around its selector; every method resolves it anew.
  const locator = (selector) => {
    if (typeof selector !== "string" || selector.trim() === "") {
      throw new TypeError("page.locator needs a non-empty selector string");
    }
    const object = { selector };
    for (const [method, row] of locatorMethods) {
      object[method] = (...given) => invoke("locator." + method, row, given, { selector });
    }
    return object;
  };

  if (ctx.page) {
    ctx.page.locator = locator;
    specialise(ctx.page);
  }

  // Call forms of the original surface that a list of arguments cannot say.
  function specialise(page) {
    const evaluate = page.evaluate;
    if (evaluate) {
      page.evaluate = (pageFunction, arg) =>
        typeof pageFunction === "string" && typeof arg === "string"
          ? host.call("page.evaluate", { pageFunction, targetId: arg })
          : evaluate(pageFunction, arg);
    }
    const waitForLoadState = page.waitForLoadState;
    if (waitForLoadState) {
      page.waitForLoadState = (state, options) =>
        state !== null && typeof state === "object"
          ? waitForLoadState(undefined, state)
          : waitForLoadState(state, options);
    }
  }

  // Scripts see the members of ctx as globals.
  return { ctx, globals: { ...ctx } };
}
