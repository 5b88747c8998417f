// Waiting for what locators find instead of for time.
await open("/second");
await page.goto(args.base + "/", { waitUntil: "domcontentloaded" });
same(await page.getByText("Late but here", { exact: true }).waitFor({ state: "visible", timeout: 8000 }), true, "the late text");
same(await page.getByText("Late but", { exact: true }).waitFor({ timeout: 200 }), false, "a part of it, exact");
await page.getByLabel("Your name").fill("Ann");
same(await page.locator("#name").inputValue(), "Ann", "the field of the label");
same(await page.getByText("Tea is never late").textContent(), "Tea is never late", "text");
const line = page.locator("#list").getByText("A new line");
same(await line.waitFor({ timeout: 150 }), false, "no line");
await page.getByRole("button", { name: "Add a line" }).click();
same(await line.waitFor({ state: "visible", timeout: 8000 }), true, "the line");
await page.getByRole("button", { name: "Remove the lines" }).click();
same(await line.waitFor({ state: "hidden", timeout: 8000 }), true, "no line again");
await done();
