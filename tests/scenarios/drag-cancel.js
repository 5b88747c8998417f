// A drag that ends where nothing takes it.
await open("/pointer");
const got = await page.evaluate(() => {
  const piece = document.getElementById("piece");
  for (const type of ["dragstart", "dragend"]) piece.dispatchEvent(new DragEvent(type, { bubbles: true, dataTransfer: new DataTransfer() }));
  return { drags, effect: piece.dataset.effect };
});
same(got.drags, ["start", "end"], "the events");
same(got.effect, "none", "the effect");
same(await text("#hole"), "hole", "the hole is empty");
await done();
