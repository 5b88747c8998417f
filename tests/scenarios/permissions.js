// Scripts grant a page no permissions, and the page works on after they tried.
await open();
const origin = new URL(args.base).origin;
await fails(() => cdp("Browser.grantPermissions", { origin, permissions: ["geolocation"] }), "wasn't found");
await fails(() => cdp("Browser.setPermission", { origin, permission: { name: "geolocation" }, setting: "granted" }), "wasn't found");
await page.locator("#name").fill("still works");
same(await page.locator("#name").inputValue(), "still works", "the field");
await done();
