// A page can be asked while its document is still on its way.
await open("/second");
await page.goto(args.base + "/slow/document?ms=800", { waitUntil: "commit" });
same(await page.waitForURL("**/slow/document?*", { waitUntil: "commit", timeout: 8000 }), true, "committed");
const info = await page.info();
for (const key of ["w", "h", "sx", "sy", "pw", "ph"]) check(Number.isFinite(info[key]), key + " is a number: " + info[key]);
same(await page.waitForLoadState("load", { timeout: 8000 }), true, "loaded");
same(await page.title(), "Slow document", "title in the end");
await done();
