// A relative address is relative to the page that is shown.
await open();
same(JSON.parse(await fetch.browser("/api/json")).tea, "green", "from the home page");
const other = args.base.replace("127.0.0.1", "localhost");
same((await page.goto(other + "/next")).loaded, true, "the other origin");
same(await fetch.browser("/api/text"), "plain text", "from the other origin");
same(await page.evaluate(() => performance.getEntriesByType("resource").filter((e) => e.initiatorType === "fetch").at(-1).name), other + "/api/text", "what was asked");
await done();
