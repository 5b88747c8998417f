// One button, clicked in every way there is to name it.
await open();
let clicks = 0;
const counts = async (n, how) => same(await text("#count"), String(clicks += n), "the count after " + how);
for (const selector of ["#counter", "loc=css:#counter", 'loc=role:button[name="Add one"]', "xpath=//*[@id='counter']"]) {
  await page.locator(selector).click();
  await counts(1, selector);
}
const { x, y } = await page.elementCenter("#counter");
await page.mouse.click([x, y]);
await counts(1, "[x, y]");
await page.mouse.click({ x, y });
await counts(1, "{x, y}");
await page.mouse.click(x, y);
await counts(1, "x, y");
await page.mouse.click({ selector: "#counter" });
await counts(1, "{selector}");
await page.mouse.click({ selector: "#counter", x: 4, y: 4 });
await counts(1, "{selector, x, y}");
same((await page.evaluate(() => seen.at(-1))).at(0), "click", "the last event");
check((await page.evaluate(() => seen.filter((e) => e[0] === "click").every((e) => e[2]))), "every click is a user's");

await page.locator("#counter").click({ clickCount: 2 });
same(await page.evaluate(() => seen.findLast((e) => e[0] === "click")[1]), 2, "detail of a click with clickCount 2");
same(await text("#doubled"), "yes", "the double click");
await page.evaluate(() => { document.getElementById("doubled").textContent = "no"; });
await page.locator("#counter").dblclick();
same(await text("#doubled"), "yes", "dblclick of the locator");
await page.evaluate(() => { document.getElementById("doubled").textContent = "no"; });
await page.mouse.dblclick(x, y);
same(await text("#doubled"), "yes", "dblclick of the mouse");
await done();
