// Calls with arguments that are missing, of another kind, or out of range.
await open("/second");
same(await page.waitForTimeout(1), undefined, "what has no result gives undefined");
same(await page.setDefaultTimeout(10000), undefined, "so does what JavaScript does itself");
same(await page.waitForSelector("#missing", { timeout: -5 }), false, "no time is left");
same(await page.waitForFunction(() => true, { polling: "raf", timeout: 2000 }), true, "polling by frames");
for (const call of ["evaluate", "waitForFunction"]) {
  for (const wrong of [undefined, null, 5, {}]) {
    await fails(() => page[call](wrong), `page.${call} expects a string expression or function pageFunction, got ${wrong === null ? "null" : typeof wrong}`);
  }
}
await fails(() => page.goto(), 'page.goto: missing required parameter "url"');
await fails(() => page.locator("a").getAttribute(5), 'locator.getAttribute: parameter "name" must be a string, got the number 5');
await fails(() => page.waitForURL(5), "page.waitForURL expects a string, a RegExp or a function, got number");
for (const timeout of [-1, NaN, Infinity, "5"]) {
  await fails(() => page.waitForResponse("x", { timeout }), "page.waitForResponse: timeout must be");
}

await fails(() => page.waitForEvent(null), "page.waitForEvent expects the name of an event, got null");
await fails(() => browser.closeTab(null), "closeTab requires a targetId");
await fails(() => page.goto("data:text/plain," + "x".repeat(500)), 'x" is refused: scheme "data" is not http or https');

// A text whose value is a function is not called, unless it is that function.
same(await page.evaluate("window.handler = () => { window.called = true }"), {}, "an assignment");
same(await page.evaluate("window.called"), null, "nothing was called");
same(await page.evaluate("(n) => n ?? 'called'"), "called", "a function");

same((await page.goto(args.base + "/second")).navigation.isDownload, false, "no download");
await done();
