// Builds the helpers of an older dialect of the format, whose tools take flat
// functions from their first parameter (ctx.openOrReuseTab, ctx.js, ctx.wait) and
// whose scripts have them as globals. Times are in seconds, as they were there,
// unless the name says Ms. Made from ctx when a run first asks for it.
(ctx) => {
  "use strict";

  // Half an hour is more than any wait here was meant to be: a larger number is
  // one of milliseconds.
  const ms = (seconds, name) => {
    if (seconds === undefined) return undefined;
    if (typeof seconds !== "number" || !(seconds >= 0)) throw new TypeError(name + " needs seconds, zero or more, got " + seconds);
    if (seconds > 1800) throw new RangeError(name + " takes seconds: " + seconds + " is longer than half an hour, did you mean " + seconds / 1000 + "?");
    return seconds * 1000;
  };
  const timed = (options = {}, name, timeout) => ({
    ...options, timeout: ms(options.timeout ?? timeout, name), settle: ms(options.settle, name),
  });
  const onTarget = (method) => (target, options) =>
    typeof target === "string" ? ctx.page.locator(target)[method](options) : ctx.page.mouse[method](target, options);
  const hover = (target, options) => {
    if (typeof target === "string") return ctx.page.locator(target).hover(options);
    if (Array.isArray(target)) return ctx.page.mouse.move(target[0], target[1]);
    if (target?.selector !== undefined) return ctx.page.locator(target.selector).hover({ ...options, position: offsetOf(target) });
    return ctx.page.mouse.move(target?.x, target?.y);
  };
  const offsetOf = ({ x, y }) => (x === undefined || y === undefined ? undefined : { x, y });
  const modifierNames = [[1, "Alt"], [2, "Control"], [4, "Meta"], [8, "Shift"]];
  const combo = (key, modifiers = 0) =>
    [...modifierNames.filter(([bit]) => modifiers & bit).map(([, name]) => name), key].join("+");
  const scrollBy = (n = 900) =>
    ctx.page.evaluate((by) => { scrollBy(0, by); return { x: scrollX, y: scrollY }; }, n);

  // Scrolls until cond, an expression or a function of the page, is truthy, the
  // page stops moving, or the steps are used up.
  const scrollToBottomUntil = async (cond, { step = 900, maxSteps = 30, wait = 0.5, stallLimit = 2 } = {}) => {
    let steps = 0, stalled = 0, before = -1;
    for (;;) {
      const state = await ctx.page.evaluate(cond);
      if (state) return { done: true, reason: "condition", steps, state };
      if (steps >= maxSteps) return { done: false, reason: "max-steps", steps, state };
      const { y } = await scrollBy(step);
      steps++;
      stalled = y === before ? stalled + 1 : 0;
      before = y;
      if (stalled >= stallLimit) return { done: false, reason: "stalled", steps, state };
      await ctx.page.waitForTimeout(ms(wait, "scrollToBottomUntil"));
    }
  };

  return {
    cliLog: (...values) => console.log(...values),
    snapshotText: (options) => ctx.page.snapshot(options),
    snapshot: (options) => ctx.page.snapshotRaw(options),
    captureScreenshot: (path, { full, raw, clip } = {}) => ctx.page.screenshot({ path, fullPage: full, raw, clip }),
    js: (source, targetId) => ctx.page.evaluate(source, typeof source === "string" ? targetId : undefined),
    click: onTarget("click"),
    doubleClick: onTarget("dblclick"),
    hover,
    dragMouse: (points, { delayMs } = {}) => ctx.page.mouse.drag(points, { delay: delayMs }),
    scroll: ({ x, y, dx, dy } = {}) => ctx.page.mouse.wheel(dx, dy, { x, y }),
    scrollBy,
    scrollToBottomUntil,
    typeText: (text) => ctx.page.keyboard.insertText(text),
    fillInput: (selector, text, { clearFirst, timeout = 0 } = {}) =>
      ctx.page.locator(selector).fill(text, { clearFirst, timeout: ms(timeout, "fillInput") }),
    pressKey: (key, modifiers) => ctx.page.keyboard.press(combo(key, modifiers)),
    dispatchKey: async (selector, key = "Enter", event = "keypress") => {
      const target = ctx.page.locator(selector);
      await target.focus();
      await target.dispatchEvent(event, { key });
    },
    uploadFile: (selector, files) => ctx.page.locator(selector).setInputFiles(files),
    wait: async (seconds = 1) => ctx.page.waitForTimeout(ms(seconds, "wait")),
    waitForLoad: async (seconds) =>
      ctx.page.waitForLoadState("load", { timeout: ms(typeof seconds === "object" ? seconds?.timeout : seconds, "waitForLoad") }),
    waitForElement: async (selector, { timeout, visible } = {}) =>
      ctx.page.waitForSelector(selector, { timeout: ms(timeout, "waitForElement"), state: visible ? "visible" : undefined }),
    waitForNetworkIdle: async ({ timeout, idleMs } = {}) =>
      ctx.page.waitForLoadState("networkidle", { timeout: ms(timeout, "waitForNetworkIdle"), idleMs }),
    gotoUrl: (url) => ctx.page.goto(url, { waitUntil: "commit" }),
    gotoAndWait: async (url, options) => ctx.page.goto(url, timed(options, "gotoAndWait", 20)),
    pageInfo: () => ctx.page.info(),
    drainEvents: () => ctx.page.drainEvents(),
    listTabs: (options) => ctx.browser.listTabs(options),
    currentTab: () => ctx.browser.currentTab(),
    switchTab: (target) => ctx.browser.switchTab(target),
    openOrReuseTab: async (url, options) => ctx.browser.openOrReuseTab(url, timed(options, "openOrReuseTab")),
    closeTab: (target) => ctx.browser.closeTab(target),
    ensureRealTab: () => ctx.browser.ensureRealTab(),
    iframeTarget: (part) => ctx.browser.iframeTarget(part),
    cdp: (method, params, sessionId) => ctx.cdp(method, params, sessionId),
    help: (...names) => ctx.help(...names),
    serverFetch: (url, options) => ctx.fetch.server(url, options),
    browserFetch: (url, options) => ctx.fetch.browser(url, options),
    listTaskSpaces: () => ctx.taskSpaces.list(),
    switchTaskSpace: (target) => ctx.taskSpaces.switch(target),
    newTaskSpace: (name) => ctx.taskSpaces.new(name),
    useOrCreateTaskSpace: (target) => ctx.taskSpaces.useOrCreate(target),
    claimTaskSpace: (target) => ctx.taskSpaces.claim(target),
    completeTaskSpace: (target, options) => ctx.taskSpaces.complete(target, options),
    handOffTaskSpace: (target) => ctx.taskSpaces.handOff(target),
    takeOverTaskSpace: (target) => ctx.taskSpaces.takeOver(target),
    waitForAgentControl: (target, options) => ctx.taskSpaces.waitForAgentControl(target, options),
    siteSkills: (url) => ctx.site.skills(url),
    siteSkillsForUrl: (url) => ctx.site.skillsForUrl(url),
    runSiteTool: (siteId, toolName, args) => ctx.site.runTool(siteId, toolName, args),
    runSiteBrowserTool: (siteId, toolName, args) => ctx.site.runBrowserTool(siteId, toolName, args),
    learnContext: (url) => ctx.site.learnContext(url),
  };
}
