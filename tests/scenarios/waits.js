// Waits answer true or false.
await open("/second");
const before = Date.now();
await page.waitForTimeout(150);
check(Date.now() - before >= 145, "it slept");
await page.goto(args.base + "/", { waitUntil: "domcontentloaded" });
same(await page.waitForSelector("#late", { state: "visible", timeout: 5000 }), true, "what comes late");
same(await page.waitForSelector("#missing", { timeout: 200 }), false, "what is missing");
same(await page.waitForSelector("#unseen", { state: "visible", timeout: 200 }), false, "what is hidden");
same(await page.waitForSelector("#unseen", { timeout: 5000 }), true, "what is hidden, attached");
same(await page.waitForSelector("#unseen", { state: "hidden", timeout: 5000 }), true, "hidden means hidden");
same(await page.waitForSelector("#missing", { state: "detached", timeout: 5000 }), true, "detached means detached");
same(await page.waitForFunction(() => false, { timeout: 150 }), false, "a function that is never true");
same(await page.waitForFunction((n) => n + 1, 4), 5, "the value that was true");
await done();
