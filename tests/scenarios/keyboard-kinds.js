// Fields of other types, by XPath, and one whose value a script owns.
await open();
await page.locator("#mail").fill("ann@example.test");
same(await page.locator("#mail").inputValue(), "ann@example.test", "e-mail");
await page.locator("#age").fill("42");
same(await page.locator("#age").inputValue(), "42", "number");
await page.locator("xpath=//input[@id='name']").fill("by path");
same(await page.locator("//input[@id='name']").inputValue(), "by path", "by XPath");
await page.evaluate(() => document.getElementById("name").addEventListener("poke", (e) => { e.target.value = "poked"; }));
await page.locator("xpath=//input[@id='name']").dispatchEvent("poke");
same(await page.locator("#name").inputValue(), "poked", "an event by XPath");
await page.locator("xpath=//input[@type='file']").setInputFiles(args.dir + "/two.txt");
same(await page.evaluate(() => document.getElementById("upload").files[0].name), "two.txt", "a file by XPath");
await page.locator("#held").fill("mine");
await page.locator("#held").blur();
same(await page.locator("#held").inputValue(), "MINE", "what the script made of it");
same(await page.evaluate(() => state), "MINE", "what the script knows");
await done();
