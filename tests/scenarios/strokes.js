// Drags do not run into each other.
await open("/canvas");
const pad = await page.locator("#pad").boundingBox();
for (const [n, y] of [[1, 40], [2, 120], [3, 200]]) {
  await page.mouse.drag([[30, y], [120, y], [220, y]].map(([x, y]) => [pad.x + 1 + x, pad.y + 1 + y]), { delay: 10 });
  same(await page.evaluate("return strokes.length"), n, "strokes");
  same(await page.evaluate((y) => inked(100, y), y), true, "ink of stroke " + n);
}
same(await page.evaluate("return inked(100, 80)"), false, "ink between the strokes");
same(await page.evaluate("return inked(100, 160)"), false, "ink between the last two");
await done();
