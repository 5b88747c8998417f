// The other buttons do what they do and no left click besides; quick clicks all count.
await open();
const clicked = page.locator("#counter");
await clicked.click({ button: "right" });
const right = await page.evaluate(() => seen.splice(0));
check(right.some((e) => e[0] === "mousedown" && e[1] === 2), "the right button was pressed");
check(right.some((e) => e[0] === "contextmenu"), "it asked for the menu");
check(!right.some((e) => e[0] === "click" || (e[0] === "mousedown" && e[1] === 0)), "it was no left click");
await clicked.click({ button: "middle" });
same(await page.evaluate(() => seen.splice(0)), [["mousedown", 1], ["auxclick", 1]], "events of the middle button");
for (let i = 0; i < 5; i++) await clicked.click();
same(await text("#count"), "5", "five clicks");
await page.locator("#news").click();
same(await page.locator("#news").isChecked(), true, "the box after one click");
await page.locator("#news").click();
same(await page.locator("#news").isChecked(), false, "the box after two");
await done();
