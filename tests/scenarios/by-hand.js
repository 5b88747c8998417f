// A drag and drop out of single mouse events, keys by their code, and numbers that
// are none.
await open();
await page.evaluate(() => {
  document.body.innerHTML = `<div id="from" draggable="true" style="position:absolute;left:20px;top:20px;width:40px;height:40px">from</div>
<div id="to" style="position:absolute;left:200px;top:20px;width:80px;height:80px">to</div><input id="text" style="position:absolute;top:200px"><input id="number" type="number" style="position:absolute;top:240px">`;
  window.seen = [];
  const from = document.querySelector("#from"), to = document.querySelector("#to");
  from.ondragstart = (e) => { e.dataTransfer.setData("text/plain", "cargo"); seen.push("start"); };
  from.ondragend = () => seen.push("end");
  to.ondragover = (e) => e.preventDefault();
  to.ondrop = (e) => { e.preventDefault(); seen.push("drop " + e.dataTransfer.getData("text/plain")); };
});
for (let round = 0; round < 2; round++) {
  await page.mouse.move(40, 40);
  await page.mouse.down();
  await page.mouse.move(60, 50);
  await page.mouse.move(240, 60);
  await page.mouse.up();
  same(await page.evaluate(() => seen.splice(0)), ["start", "drop cargo", "end"], "a drag by hand");
}
await page.mouse.move(240, 60);
await page.mouse.down();
await page.mouse.move(250, 70);
await page.mouse.up();
same(await page.evaluate(() => seen.splice(0)), [], "a press elsewhere");

await page.locator("#text").focus();
for (const key of ["KeyA", "Shift+KeyB", "Digit1", "Minus", "Space"]) await page.keyboard.press(key);
same(await page.locator("#text").inputValue(), "aB1- ", "keys by their code");
await fails(() => page.keyboard.press("KeyÄ"), "unknown key");

for (const value of ["12", "-1.5e3", " 7 ", ""]) await page.locator("#number").fill(value);
await fails(() => page.locator("#number").fill("twelve"), 'does not take the value "twelve"');

for (const wrong of [NaN, Infinity]) {
  await fails(() => page.mouse.wheel(wrong, 1), "invalid mouse offset");
  await fails(() => page.locator("#text").click({ timeout: wrong }), "timeout must be a finite number");
}
same(await page.evaluate((n) => n, NaN), null, "an argument of the page's function");
await done();
