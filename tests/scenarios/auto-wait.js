// A read waits for its element.
await open("/second");
await page.setDefaultTimeout(5000);
await page.evaluate(() => { setTimeout(() => { document.body.insertAdjacentHTML("beforeend", "<p id='soon'>soon</p>"); }, 500); });
const start = Date.now();
same(await page.locator("#soon").textContent(), "soon", "what came soon");
check(Date.now() - start >= 300, "it was waited for");
await page.setDefaultTimeout(150);
await fails(() => page.locator("#never").textContent(), "Element not found");
check(Date.now() - start < 6000, "no longer than the timeout");
await fails(async () => page.setDefaultTimeout(-1), "setDefaultTimeout");
await done();
