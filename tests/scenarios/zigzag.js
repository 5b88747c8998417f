// Many turns are one stroke, and each turn is on the paper.
await open("/canvas");
const pad = await page.locator("#pad").boundingBox();
const turns = [[20, 200], [70, 50], [120, 200], [170, 50], [220, 200], [270, 50]];
await page.mouse.drag(turns.map(([x, y]) => [pad.x + 1 + x, pad.y + 1 + y]), { delay: 10 });
const strokes = await page.evaluate("return strokes");
same(strokes.length, 1, "strokes");
check(strokes[0].length >= 5, "points");
for (let i = 1; i < turns.length; i++) {
  const middle = [0, 1].map((axis) => (turns[i - 1][axis] + turns[i][axis]) / 2);
  same(await page.evaluate(([x, y]) => inked(x, y), middle), true, "ink at " + middle);
}
await done();
