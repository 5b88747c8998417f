// The protocol itself, idleness, functions, and the texts of help.
await open();
for (const prepare of [() => {}, () => cdp("Network.enable")]) {
  await prepare();
  await page.evaluate(() => { document.getElementById("answer").textContent = ""; });
  await page.locator("#asker").click();
  same(await page.waitForLoadState("networkidle", { timeout: 8000, idleMs: 400 }), true, "idle");
  same(await text("#answer"), "slow answer", "the answer came before idle");
}
await fails(() => cdp("Tea.brew"), "Tea.brew");
await fails(() => cdp("Page.noSuchThing"), "Page.noSuchThing");
same((await cdp("Runtime.evaluate", { expression: "1 + 1" })).result.value, 2, "a command");
same(await page.evaluate("const a = 2; return a + 3"), 5, "statements with return");
same(await page.evaluate(({ a, b }) => a * b, { a: 3, b: 4 }), 12, "a function with an argument");
await fails(() => page.evaluate(() => { throw new Error("js boom"); }), "js boom");
await fails(() => page.evaluate("throw new Error('js boom')"), "js boom");
const blurbs = help("page", "locator");
check(blurbs.includes("page") && blurbs.includes("locator"), "help of two");
check(help().includes("browser") && help("fetch").includes("seconds"), "help of all, and of fetch");
await done();
