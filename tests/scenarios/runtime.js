// Edges of waiting, of evaluating, of fetching and of slow pages.
await open();
same(await page.waitForSelector("xpath=//h1", { timeout: 5000 }), true, "a wait by XPath");
let start = Date.now();
await fails(() => page.waitForSelector(".twin", { timeout: 10000 }), "matched 3");
check(Date.now() - start < 5000, "several matches are known at once");
start = Date.now();
same(await page.waitForSelector("#missing", { timeout: 800 }), false, "a miss");
check(Date.now() - start >= 700, "a miss takes its time");

const outer = "not of the page";
await fails(() => page.evaluate(() => outer), "outer");
await fails(() => page.evaluate(123), "expects a string expression or function");
for (const n of [0, 1, 4096]) {
  same((await fetch.server(args.base + "/api/bytes?n=" + n)).length, n, n + " bytes by the daemon");
  same((await fetch.browser("/api/bytes?n=" + n)).length, n, n + " bytes by the page");
}
await fails(() => fetch.server(args.base + "/api/status?code=404"), "HTTP 404");
await fails(() => fetch.browser("/api/status?code=404"), "HTTP 404");
start = Date.now();
same((await page.goto(args.base + "/slow/page?ms=1200")).loaded, true, "the slow page loaded");
check(Date.now() - start >= 1150, "it was slow");
same(await page.waitForLoadState("load", { timeout: 5000 }), true, "it is loaded");
same((await page.info()).title, "Slow page", "its title");
await done();
