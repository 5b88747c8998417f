// The pressure of made and of real events.
await open("/pointer");
const pressures = await page.evaluate(() => {
  const pad = document.getElementById("pad");
  for (const pressure of [0, 0.5, 1]) pad.dispatchEvent(new PointerEvent("pointerdown", { pointerId: 3, pointerType: "pen", pressure }));
  return pointers.splice(0).map((e) => e[3]);
});
same(pressures, [0, 0.5, 1], "pressures that were made");
await page.locator("#pad").click();
const real = await page.evaluate(() => pointers);
same(real.find((e) => e[0] === "pointerdown")[3], 0.5, "the pressure of a press");
same(real.find((e) => e[0] === "pointerup")[3], 0, "the pressure of a release");
await done();
