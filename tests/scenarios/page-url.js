// page.url is asked for; a wait for an address may begin before the click.
await open();
const promised = page.url();
same(typeof promised.then, "function", "a promise");
same(await promised, args.base + "/", "the address");
const arrived = page.waitForURL("**/next", { timeout: 8000 });
await page.getByRole("link", { name: "On to the next page" }).click();
same(await arrived, true, "arrived");
same(await page.url(), args.base + "/next", "the address after the click");
const again = page.waitForURL((url) => url.pathname === "/", { timeout: 8000 });
await page.getByRole("link", { name: "Back home" }).click();
same(await again, true, "arrived by predicate");
same(await page.title(), "Playground", "title");
await done();
