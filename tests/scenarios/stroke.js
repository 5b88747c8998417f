// One drag is one stroke.
await open("/canvas");
await draw([[20, 20], [80, 60], [140, 20], [200, 60]]);
const strokes = await page.evaluate("return strokes");
same(strokes.length, 1, "strokes");
check(strokes[0].length >= 3, "points of the stroke");
for (const [x, y] of [[50, 40], [110, 40], [170, 40]]) same(await page.evaluate(([x, y]) => inked(x, y), [x, y]), true, `ink at ${x}, ${y}`);
same(await page.evaluate("return inked(350, 250)"), false, "ink where nothing was drawn");
await page.locator("#wipe").click();
same(await page.evaluate("return strokes.length"), 0, "strokes after wiping");
same(await page.evaluate("return inked(50, 40)"), false, "ink after wiping");
await done();

async function draw(points) {
  const pad = await page.locator("#pad").boundingBox();
  await page.mouse.drag(points.map(([x, y]) => ({ x: pad.x + 1 + x, y: pad.y + 1 + y })), { delay: 10 });
}
