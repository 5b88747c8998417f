// Events that a script makes in one go reach the page in order.
await open("/pointer");
const got = await page.evaluate(() => {
  const pad = document.getElementById("pad");
  const send = (type, id, kind) => pad.dispatchEvent(new PointerEvent(type, { pointerId: id, pointerType: kind, bubbles: true }));
  send("pointerdown", 1, "mouse");
  send("pointermove", 1, "mouse");
  send("pointerup", 1, "mouse");
  send("pointerdown", 2, "touch");
  send("pointercancel", 2, "touch");
  return pointers;
});
same(got.length, 5, "events");
same(got.map((e) => e[0]), ["pointerdown", "pointermove", "pointerup", "pointerdown", "pointercancel"], "their types");
same(got.map((e) => e[1]), [1, 1, 1, 2, 2], "their pointers");
same(got.map((e) => e[2]), ["mouse", "mouse", "mouse", "touch", "touch"], "their kinds");
same(got[0][3], 0, "a pressure that was not given");
await done();
