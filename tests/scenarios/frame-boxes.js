// Elements in frames, and in a closed shadow root: where they are on the page, a
// picture of them, and clicks on them.
await open("/frames");
const { readFile } = await import("node:fs/promises");
await page.evaluate(() => {
  document.body.style.paddingTop = "1200px";
  for (const frame of document.querySelectorAll("iframe")) frame.style.border = "7px solid red";
  const host = document.body.appendChild(document.createElement("div"));
  host.attachShadow({ mode: "closed" }).innerHTML = `<button onclick="document.title = 'closed was clicked'">Closed root</button>`;
});
const middle = async (path) => {
  const png = (await readFile(path)).toString("base64");
  return page.evaluate(async (png) => {
    const image = new Image();
    image.src = "data:image/png;base64," + png;
    await image.decode();
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    return [image.width, image.height, ...context.getImageData(image.width >> 1, image.height >> 1, 1, 1).data.slice(0, 3)];
  }, png);
};
for (const where of ["where=near", "where=other"]) {
  const mark = page.frame(where).locator("#mark");
  await page.frame(where).locator("body").evaluate((body) => {
    body.insertAdjacentHTML("afterbegin", `<div id="mark" style="width:60px;height:30px;background:rgb(0,0,255)" onmousedown="this.title = 'pressed'"></div>`);
  });
  same(await middle(await mark.screenshot()), [60, 30, 0, 0, 255], "the picture of the mark, " + where);
  const box = await mark.boundingBox();
  same([box.width, box.height], [60, 30], "the size of the mark");
  // Just after a scroll Chrome may not know yet where a frame of another process is,
  // and a bare click goes past it.
  for (let tries = 0; tries < 10 && (await mark.getAttribute("title")) === null; tries++) {
    await page.mouse.click(box.x + 5, box.y + 5);
  }
  same(await mark.getAttribute("title"), "pressed", "the mark at its box, " + where);
}
await page.getByRole("button", { name: "Closed root" }).click();
same(await page.title(), "closed was clicked", "the title after the click");
await done();
