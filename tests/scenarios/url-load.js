// Without a say, waiting for an address means its load as well.
await open();
const start = Date.now();
await page.goto(args.base + "/slow/load?ms=900", { waitUntil: "commit" });
same(await page.waitForURL("**/slow/load?ms=900", { timeout: 8000 }), true, "the address");
check(Date.now() - start >= 700, "it took as long as the picture");
same(await page.evaluate(() => document.readyState), "complete", "the document is complete");
await page.goto(args.base + "/slow/load?ms=1500", { waitUntil: "commit" });
same(await page.waitForURL((url) => url.search === "?ms=1500", { timeout: 300, waitUntil: "commit" }), true, "only the address");
await done();
