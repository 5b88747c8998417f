// From the door of a shop to the receipt, waiting for each answer of its server.
await taskSpaces.useOrCreate(args.space);
const shop = `/shop/${encodeURIComponent(args.space)}-${Date.now()}`;
await open(shop);
const answered = (step, status) =>
  page.waitForResponse((r) => r.url().endsWith("/" + step) && r.request().method() === "POST" && r.status() === status, { timeout: 10000 });
const left = page.getByTestId("left");
const shows = (n) => page.waitForFunction((n) => document.querySelector("[data-testid=left]").textContent === n, String(n), { timeout: 8000 });

same(await page.getByRole("heading", { name: "Harbour Concert" }).count(), 1, "the heading");
check(await shows(20), "twenty seats are left");
let answer = answered("enter", 200);
await page.evaluate(() => document.getElementById("enter").click());
same((await answer).ok(), true, "came in");
check(await page.waitForSelector("#choice", { state: "visible", timeout: 8000 }), "the choice");

same(await page.locator("#hold").isEnabled(), false, "holding without a choice");
await page.getByLabel("Saturday").check();
same(await page.getByLabel("Saturday").isChecked(), true, "Saturday");
await page.getByLabel("Seats", { exact: true }).fill("5");
await page.getByLabel("Name on the tickets").fill("Ann");
same(await page.locator("#hold").isEnabled(), true, "holding with one");

answer = answered("hold", 201);
await page.getByRole("button", { name: "Hold the seats" }).click();
const held = await answer;
same(await held.json(), { held: 5, left: 15 }, "the answer of the shop");
check(held.headers()["content-type"].includes("json"), "its type");
same(JSON.parse(held.request().postData()).seats, 5, "what was asked");
check(await shows(15), "fifteen seats are left");

answer = answered("pay", 201);
const counted = answered("left", 200);
await page.getByRole("button", { name: "Pay" }).click();
const paid = await answer;
const other = await browser.openOrReuseTab(args.base + "/second"); // the answer stays that of its page
same((await paid.json()).order, 1, "the order");
await browser.closeTab(other.targetId);
same(await page.title(), "Ticket window", "title of the tab that is left");
same((await (await counted).json()).held, 0, "seats that are held");
check(await page.waitForSelector("#receipt", { state: "visible", timeout: 8000 }), "the receipt");
same(await page.locator("#receipt").innerText(), "Order 1 for Ann", "the receipt");
same(await left.innerText(), "15", "seats that are left");
await fails(() => page.waitForResponse("http://nowhere.test/", { timeout: 100 }), "page.waitForResponse timed out after 100ms");
await fails(() => page.waitForRequest("http://nowhere.test/", { timeout: 100 }), "page.waitForRequest timed out after 100ms");
await done();
