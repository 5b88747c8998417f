// Moving over things, and dragging one to another.
await open();
await page.locator("#hover").hover();
same(await text("#hover"), "hovered", "the text that was hovered");
await page.mouse.drag(["#from", "#to"], { delay: 10 });
same(await text("#dragged"), "yes", "the drag from selector to selector");
await page.evaluate(() => { document.getElementById("dragged").textContent = "no"; });
await page.locator("#from").dragTo(page.locator("#to"));
same(await text("#dragged"), "yes", "the drag from locator to locator");
await page.goto(args.base + "/pointer");
await page.locator("#piece").dragTo("#hole");
same(await text("#hole"), "piece", "what was dropped");
const drags = await page.evaluate(() => drags);
same([drags[0], drags.at(-2), drags.at(-1)], ["start", "drop", "end"], "events of the drag and drop");
await done();
