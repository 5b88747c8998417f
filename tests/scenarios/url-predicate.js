// A predicate on the address is given a URL.
await open();
await page.goto(args.base + "/next?tea=green", { waitUntil: "commit" });
const kinds = [];
same(await page.waitForURL((url) => { kinds.push(url instanceof URL); return url.searchParams.get("tea") === "green"; }, { timeout: 8000 }), true, "by predicate");
same(kinds.every(Boolean), true, "it was given URLs");
same(await page.waitForURL(/tea=gr/), true, "by expression");
same(await page.waitForURL("**/next?tea=*"), true, "by pattern");
same(await page.waitForURL(args.base + "/next?tea=green"), true, "by the whole address");
same(await page.waitForURL("**/nowhere", { timeout: 150 }), false, "an address that never comes");
await fails(() => page.waitForURL(5), "page.waitForURL");
await done();
