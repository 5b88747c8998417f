// The element of a ref is replaced: the ref finds the one that took its place.
await open();
const { refs } = await page.snapshotRaw();
const ref = refs.find((r) => r.role === "button" && r.name === "Order now");
check(ref !== undefined, "the button has a ref");
await page.evaluate(() => document.getElementById("fresh").click());
const start = Date.now();
await page.locator("@" + ref.backendNodeId).click();
same(await text("#ordered"), "1", "orders");
check(Date.now() - start < 8000, "it took no timeout");
await done();
