// A drag and drop that a script makes, with what it carries.
await open("/pointer");
const got = await page.evaluate(() => {
  const [piece, hole] = [document.getElementById("piece"), document.getElementById("hole")];
  const dataTransfer = new DataTransfer();
  const send = (on, type) => on.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
  send(piece, "dragstart");
  const refused = send(hole, "dragover");
  send(hole, "drop");
  send(piece, "dragend");
  return { drags, refused, types: [...dataTransfer.types] };
});
same(got.drags, ["start", "over", "drop", "end"], "the events");
same(got.refused, false, "the drop was welcome");
same(got.types, ["text/plain"], "what it carried");
same(await text("#hole"), "piece", "what was dropped");
await done();
