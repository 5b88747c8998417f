// Builds the ctx of a tool from the table of operations. Called once in every
// fresh runtime, before any code of a pack: host.call(name, args) runs an
// operation in the daemon, host.source(fn) gives the text of a function for the
// page, table has for each object on ctx the JSON of {name: "form:name ..."}, the
// arguments of each function as internal/ops/surface.go writes them (behind "- " where
// there is no result), helpTexts is the JSON of {name: text}. Only
// members that the table has exist on ctx. An object is made when it is first used:
// making all of them would take longer than most runs.
(host, table, helpTexts) => {
  "use strict";

  // A call leaves out what was not given, so that the daemon's defaults hold.
  const collect = (binding, given) => {
    const params = {};
    binding.args.forEach((arg, i) => {
      const v = given[i];
      if (v === undefined && arg.form !== "function") return;
      if (arg.form === "options") {
        if (v !== null && typeof v === "object") {
          for (const key of Object.keys(v)) if (v[key] !== undefined) params[key] = finite(key, v[key]);
        }
      } else if (arg.form === "function") {
        pageFunction(params, arg.name, v);
      } else if (arg.form === "selector") {
        params[arg.name] = selectorOf(v) ?? v;
      } else {
        params[arg.name] = finite(arg.name, v);
      }
    });
    return params;
  };

  // JSON has no other numbers: they would count as left out. The rest of a deadline
  // that a program works out may be below zero: the time is up then.
  const offsets = ["x", "y", "dx", "dy"];
  const waits = ["timeout", "timeoutMs", "settle", "idleMs", "polling"];
  const finite = (name, v) => {
    if (waits.includes(name)) {
      if (typeof v === "number" && v < 0 && v > -Infinity) return 0;
      if (name === "polling" && v === "raf") return 16;
    }
    if (typeof v !== "number" || Number.isFinite(v) || name === "arg") return v;
    throw new TypeError(offsets.includes(name) ? "invalid mouse offset: " + v : name + " must be a finite number, got " + v);
  };

  const pageFunction = (params, name, v) => {
    if (typeof v === "function") {
      params[name] = host.source(v);
      params.isFunction = true;
    } else if (typeof v === "string") {
      params[name] = v;
    } else {
      throw new TypeError("expects a string expression or function " + name + ", got " + kindOf(v));
    }
  };

  // Scripts of the original branch on error_code, Node's on code.
  const call = (name, params) => host.call(name, params).catch((error) => {
    for (const key of ["error_code", "code", "path"]) if (error?.data?.[key] !== undefined) error[key] = error.data[key];
    if (error?.kind === "invalid_params" && /^(missing required |parameter |item |requires |a time )/.test(error.message)) error.message = name + ": " + error.message;
    throw error;
  });

  const invoke = (name, binding, given, base) => {
    let params;
    try {
      params = { ...base, ...collect(binding, given) };
    } catch (error) {
      error.message = error.message.startsWith("expects") ? name + " " + error.message : name + ": " + error.message;
      return Promise.reject(error);
    }
    const answer = waiting === 0 ? call(name, params) : opening.then(() => call(name, params));
    return binding.silent ? answer.then(() => {}) : answer;
  };

  // How a function is called, read at its first call.
  const bindingOf = (text) => {
    const words = text.split(" ").filter(Boolean);
    const silent = words[0] === "-";
    const args = words.slice(silent ? 1 : 0).map((arg) => {
      const [form, name] = arg.split(":");
      return { form, name };
    });
    return { args, silent };
  };

  // Objects nest by the dots of the name: "page.mouse.wheel" is page.mouse.wheel.
  const place = (root, name, text) => {
    const parts = name.split(".");
    const last = parts.pop();
    let at = root;
    for (const part of parts) at = at[part] ??= {};
    let binding;
    at[last] = { [last]: (...given) => invoke(name, (binding ??= bindingOf(text)), given) }[last];
  };
  const build = (facade) => {
    const root = {};
    const rows = JSON.parse(table[facade]);
    for (const name of Object.keys(rows)) place(root, name, rows[name]);
    return root[facade];
  };
  const lazily = (object, name, make) => {
    const fix = (value) => {
      Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
      return value;
    };
    Object.defineProperty(object, name, { enumerable: true, configurable: true, get: () => fix(make()), set: fix });
  };

  // Selector strings as internal/browser/factories.go builds them: a locator is
  // its selector, so that it is the same thing on every face.
  const pattern = (text, exact) =>
    text instanceof RegExp
      ? { regex: text.source, flags: text.flags.replace(/[gy]/g, "") }
      : { text: String(text), exact: exact === true };
  const textValue = (text, exact) =>
    text instanceof RegExp ? JSON.stringify(pattern(text)) : (exact === true ? "exact:" : "") + JSON.stringify(String(text));
  const roleStates = ["checked", "disabled", "expanded", "level", "pressed", "selected"];
  const roleSelector = (role, options = {}) => {
    let selector = "loc=role:" + role;
    if (options.name !== undefined && options.name !== null) {
      selector += "[name=" + JSON.stringify(pattern(options.name, options.exact)) + "]";
    }
    for (const state of roleStates) if (options[state] !== undefined) selector += "[" + state + "=" + options[state] + "]";
    return options.includeHidden ? selector + "[includeHidden=true]" : selector;
  };
  const selectorOf = (child) => (typeof child === "string" ? child : child?.selector);
  const encoded = (kind, value) => "internal:" + kind + ":" + encodeURIComponent(JSON.stringify(value));
  const textFactories = {
    getByText: "text", getByLabel: "label", getByPlaceholder: "placeholder", getByAltText: "alt", getByTitle: "title",
  };
  const filterSelector = (base, options = {}) => {
    const parts = { base };
    for (const key of ["hasText", "hasNotText"]) {
      if (options[key] !== undefined && options[key] !== null) parts[key] = pattern(options[key]);
    }
    for (const key of ["has", "hasNot"]) {
      if (options[key] !== undefined && options[key] !== null) parts[key] = selectorOf(options[key]);
    }
    return encoded("filter", parts);
  };

  // A locator is an object around its selector; every method resolves it anew.
  let prototype;
  const locator = (selector, options) => {
    const text = selectorOf(selector);
    if (typeof text !== "string" || text.trim() === "") {
      throw new TypeError("page.locator needs a non-empty selector string");
    }
    return Object.create(prototype ??= locators(), { selector: { value: options ? filterSelector(text, options) : text, enumerable: true } });
  };
  const within = (base, child, options) => locator(encoded("scope", { base, child }), options);
  const factories = (scope) => {
    const made = { getByRole: (role, options) => scope(roleSelector(role, options)) };
    for (const [name, kind] of Object.entries(textFactories)) {
      made[name] = (text, options) => scope("loc=" + kind + ":" + textValue(text, options?.exact));
    }
    made.getByTestId = (id) => scope("loc=testid:" + textValue(id, true));
    return made;
  };
  const locators = () => {
    const methods = {
      locator(child, options) { return within(this.selector, selectorOf(child), options); },
      filter(options) { return locator(filterSelector(this.selector, options)); },
      first() { return locator("internal:nth=0;" + this.selector); },
      last() { return locator("internal:last;" + this.selector); },
      nth(index) {
        const n = typeof index === "string" ? Number(index) : index;
        if (!Number.isInteger(n) || n < 0) throw new Error("nth needs a whole number from 0, got " + index + (n === -1 ? "; last() is the last one" : ""));
        return locator("internal:nth=" + n + ";" + this.selector);
      },
      contentFrame() { return frameOf({ owner: this.selector }); },
      frameLocator(child) { return this.locator(child).contentFrame(); },
    };
    for (const name of Object.keys(factories(locator))) {
      methods[name] = function (...given) {
        return factories((child) => within(this.selector, child))[name](...given);
      };
    }
    const rows = JSON.parse(table.locator);
    for (const name of Object.keys(rows)) {
      const method = name.slice("locator.".length);
      let binding;
      methods[method] = {
        [method](...given) { return invoke(name, (binding ??= bindingOf(rows[name])), given, { selector: this.selector }); },
      }[method];
    }
    return methods;
  };

  // What setDefaultTimeout set, for the waits that JavaScript does itself.
  let defaultTimeout = 10_000;

  // Call forms of the original surface that a list of arguments cannot say.
  function specialise(page) {
    const { evaluate, setDefaultTimeout } = page;
    page.evaluate = (pageFunction, arg) =>
      typeof pageFunction === "string" && typeof arg === "string"
        ? host.call("page.evaluate", { pageFunction, targetId: arg })
        : evaluate(pageFunction, arg);
    page.setDefaultTimeout = (timeoutMs) => {
      if (typeof timeoutMs !== "number" || !(timeoutMs >= 0) || timeoutMs === Infinity) {
        throw new Error("page.setDefaultTimeout needs a number of milliseconds, zero or more");
      }
      defaultTimeout = timeoutMs;
      return setDefaultTimeout(timeoutMs);
    };
    const { waitForLoadState, waitForFunction, waitForURL } = page;
    page.waitForLoadState = (state, options) =>
      isObject(state) ? waitForLoadState(undefined, state) : waitForLoadState(state, options);
    page.waitForFunction = (fn, arg, options) =>
      options === undefined && isObject(arg) && ("timeout" in arg || "polling" in arg)
        ? waitForFunction(fn, undefined, arg)
        : waitForFunction(fn, arg, options);
    page.waitForURL = (match, options) =>
      typeof match === "string" ? waitForURL(match, options) : waitForMatch(page, match, options);
    for (const name of ["click", "dblclick"]) {
      const click = page.mouse[name];
      page.mouse[name] = (target, ...rest) =>
        isObject(target) || rest.length === 0 ? click(target, ...rest) : click([target, rest[0]], rest[1]);
    }
  }

  // A recording is also something to dispose of, which ends that one alone.
  function specialiseScreencast(screencast) {
    const { start, stop } = screencast;
    let current;
    screencast.start = async (options) => {
      const { path, width, height } = await start(options);
      const own = current = {};
      const dispose = async () => { if (current === own) await screencast.stop(); };
      return { path, width, height, dispose, [Symbol.asyncDispose]: dispose };
    };
    screencast.stop = () => { current = undefined; return stop(); };
  }

  const kindOf = (v) => (v === null ? "null" : typeof v);
  const isObject = (v) => v !== null && typeof v === "object";

  // Regular expressions and predicates are JavaScript's to judge: the address is
  // asked for until it matches. A navigation under way may fail a single question.
  async function waitForMatch(page, match, options = {}) {
    let accepts;
    if (match instanceof RegExp) {
      accepts = (url) => { match.lastIndex = 0; return match.test(url); };
    } else if (typeof match === "function") {
      accepts = (url) => match(new URL(url));
    } else {
      throw new TypeError("page.waitForURL expects a string, a RegExp or a function, got " + kindOf(match));
    }
    const timeout = options.timeout ?? defaultTimeout;
    const deadline = performance.now() + timeout;
    for (;;) {
      const url = await page.url().catch(() => undefined);
      if (typeof url === "string" && await accepts(url)) {
        const left = Math.max(0, deadline - performance.now());
        if (options.waitUntil === "commit" || url === "about:blank") return true;
        return page.waitForLoadState(options.waitUntil ?? "load", { timeout: left });
      }
      if (performance.now() >= deadline) return false;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  // What the platform's fetch takes and JSON has not: bodies of other kinds than
  // text, and a signal.
  function specialiseFetch(fetch) {
    for (const name of ["server", "browser"]) {
      const call = fetch[name];
      fetch[name] = (url, options) =>
        isObject(options) ? endedBy(options.signal, () => call(url, sendable(options))) : call(url, options);
    }
  }

  const sendable = ({ signal, body, ...options }) => {
    if (ArrayBuffer.isView(body) || body instanceof ArrayBuffer) {
      const bytes = body instanceof ArrayBuffer ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
      options.bodyBase64 = bytes.toString("base64");
    } else if (isObject(body) && body instanceof URLSearchParams) {
      options.body = body.toString();
      options.headers = { "Content-Type": "application/x-www-form-urlencoded;charset=UTF-8", ...options.headers };
    } else if (isObject(body)) {
      throw new TypeError("the body of a fetch is text, bytes or URLSearchParams: use JSON.stringify for an object");
    } else if (body !== undefined && body !== null) {
      options.body = String(body);
    }
    return options;
  };

  async function endedBy(signal, start) {
    if (!isObject(signal)) return start();
    signal.throwIfAborted();
    let end;
    const ended = new Promise((_, reject) => {
      end = () => reject(signal.reason);
    });
    signal.addEventListener("abort", end, { once: true });
    try {
      return await Promise.race([start(), ended]);
    } finally {
      signal.removeEventListener("abort", end); // it may outlive many fetches
    }
  }

  let texts;
  const textOf = (name) => (texts ??= new Map(Object.entries(JSON.parse(helpTexts)))).get(name);
  const help = (...names) =>
    (names.length === 0 ? [""] : names).map((name) => textOf(name) ?? "Unknown helper: " + name).join("\n\n");

  // The help on a function that is shown and not called; undefined for others.
  const explain = (fn) => {
    const found = (object, path) => {
      for (const key of Object.keys(object)) {
        const at = path === "" ? key : path + "." + key;
        if (object[key] === fn) return at;
        const below = isObject(object[key]) ? found(object[key], at) : undefined;
        if (below !== undefined) return below;
      }
    };
    const name = found(ctx, "") ?? found(prototype ??= locators(), "locator");
    return name === undefined ? undefined : { name, text: textOf(name) ?? "" };
  };
  host.explain?.(explain);

  // Waits for requests, responses and events. Listening begins with the call:
  // operations that are called after it start once the view is open.
  let opening = Promise.resolve();
  let waiting = 0; // views that are being opened

  function specialiseEvents(page) {
    page.waitForRequest = (match, options) =>
      nextMatching("request", "page.waitForRequest", requestFacade, match, options);
    page.waitForResponse = (match, options) =>
      nextMatching("response", "page.waitForResponse", responseFacade, match, options);
    page.waitForEvent = (event, options) => nextMatching(event, "page.waitForEvent", eventFacade, undefined, options);
  }

  async function nextMatching(kind, name, facade, match, options = {}) {
    const timeout = options.timeout ?? defaultTimeout;
    if (typeof timeout !== "number" || !(timeout >= 0) || timeout === Infinity) throw new Error(name + ": timeout must be zero or more milliseconds");
    if (typeof kind !== "string") throw new TypeError(name + " expects the name of an event, got " + kindOf(kind));
    const limit = timeout === 0 && kind !== "download" ? Infinity : timeout;
    const opened = host.call("watch.open", { kind });
    waiting++;
    opening = opening.then(() => opened).catch(() => {}).then(() => { waiting--; });
    const id = await opened;
    const deadline = performance.now() + limit;
    try {
      for (;;) {
        const left = Math.min(deadline - performance.now(), 60_000);
        const event = left > 0 ? await host.call("watch.next", { id, timeout: left }) : { number: 0 };
        if (event.number === 0) {
          if (performance.now() < deadline) continue;
          throw new Error(kind === "request" || kind === "response" ? name + " timed out after " + timeout + "ms" : name + " timed out");
        }
        const made = facade(event);
        if (accepts(match, made, name)) return made;
      }
    } finally {
      host.call("watch.close", { id }).catch(() => {});
    }
  }

  const accepts = (match, facade, name) => {
    if (match === undefined) return true;
    if (typeof match === "string") return facade.url() === match;
    if (match instanceof RegExp) { match.lastIndex = 0; return match.test(facade.url()); }
    if (typeof match !== "function") throw new TypeError(name + " expects a string, a RegExp or a function, got " + kindOf(match));
    const answer = match(facade);
    if (isObject(answer) && typeof answer.then === "function") {
      answer.then(undefined, () => {});
      throw new Error(name + " needs a predicate that answers at once, not a promise");
    }
    return Boolean(answer);
  };

  const requestOf = (r) => ({
    url: () => r.url, method: () => r.method, headers: () => ({ ...r.headers }),
    postData: () => r.postData ?? null, resourceType: () => r.resourceType,
  });
  const requestFacade = (event) => requestOf(event.request);
  const responseFacade = ({ number, response }) => {
    const body = async () => Buffer.from(await host.call("watch.body", { number }), "base64");
    const text = async () => (await body()).toString("utf8");
    return {
      url: () => response.url, status: () => response.status, statusText: () => response.statusText,
      ok: () => response.status >= 200 && response.status <= 299, headers: () => ({ ...response.headers }),
      request: () => requestOf(response.request), body, text, json: async () => JSON.parse(await text()),
    };
  };
  const eventFacade = ({ number, console, dialog, popup, download }) => {
    if (console) return { type: () => console.level, text: () => console.message };
    if (dialog) return { type: () => dialog.type, message: () => dialog.message, defaultValue: () => dialog.defaultValue };
    if (popup) return { targetId: popup };
    let path;
    return {
      url: () => download.url, suggestedFilename: () => download.suggestedFilename,
      path: () => path ??= host.call("watch.downloadPath", { number }),
      saveAs: (path) => host.call("watch.saveDownload", { number, path }),
    };
  };

  // A frame is a place to look for elements in: its name, a part of its address, or
  // the locator of its iframe element.
  const frameOf = (parts) => {
    const scope = (selector, options) => locator(encoded("frame", { ...parts, child: selectorOf(selector) }), options);
    const frame = { locator: scope, frameLocator: (selector) => scope(selector).contentFrame(), ...factories((child) => scope(child)) };
    if (parts.owner === undefined) return Object.assign(frame, { first: () => frame, last: () => frame, nth: () => frame }); // there is one
    const owner = locator(parts.owner);
    return Object.assign(frame, {
      first: () => owner.first().contentFrame(), last: () => owner.last().contentFrame(), nth: (index) => owner.nth(index).contentFrame(),
    });
  };

  // What is done to an object beyond the table.
  const finish = {
    page(page) {
      Object.assign(page, { locator }, factories(locator));
      page.frame = (nameOrURL) => frameOf({ name: String(nameOrURL) });
      page.frameLocator = (selector) => locator(selector).contentFrame();
      specialise(page);
      specialiseEvents(page);
      specialiseScreencast(page.screencast);
    },
    fetch: specialiseFetch,
    // What is missing is told in the original's words, as what is wrong is.
    taskSpaces(taskSpaces) {
      const { complete } = taskSpaces;
      taskSpaces.complete = (target, options) => complete(target ?? "", options ?? {});
    },
    browser(browser) {
      const { switchTab, closeTab } = browser;
      browser.switchTab = (target) => switchTab(target ?? "");
      browser.closeTab = (target) => closeTab(target === null ? "" : target); // null names no tab, least of all the active one
    },
  };
  const ctx = { help };
  for (const facade of Object.keys(table)) {
    if (facade !== "locator") {
      lazily(ctx, facade, () => {
        const made = build(facade);
        finish[facade]?.(made);
        return made;
      });
    }
  }

  // The bridge that scripts of the original reach for. Answers come to the slot, as
  // text, in whatever order they are ready.
  const bridge = () => {
    const ego = {
      helpers: ctx,
      learnings: ctx.site,
      onCDPMessage: null,
      onSendCDPMessageError: null,
      sendCDPMessage(text) {
        const { id, method, params, sessionId } = JSON.parse(text);
        const answer = (message) => ego.onCDPMessage?.(JSON.stringify({ id, ...(sessionId && { sessionId }), ...message }));
        ctx.cdp(method, params, sessionId).then(
          (result) => answer({ result }),
          (error) => answer({ error: { code: -32000, message: error.message } }),
        );
      },
    };
    return ego;
  };

  // Scripts see the members of ctx as globals, and args beside them.
  return { ctx, get globals() { return { ...ctx, ego: bridge(), args: host.args }; } };
}
