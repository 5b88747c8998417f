// Tabs of one space: found again in four ways, asked without switching, closed.
await open();
const base = args.base;
same((await page.info()).url, base + "/", "where we are");
const home = await browser.currentTab();
check(typeof home.targetId === "string" && home.url === base + "/", "the current tab");
check((await browser.listTabs()).length >= (await browser.listTabs({ includeChrome: false })).length, "both lists");
same((await browser.ensureRealTab()).targetId, home.targetId, "the real tab");

const second = await browser.openOrReuseTab(base + "/second?a=1");
same(second.reused, false, "a new tab");
same((await page.info()).title, "Second page", "title of the new tab");
for (const [match, url] of [
  ["exact", base + "/second?a=1"], ["origin+path", base + "/second?b=2"], ["includes", "second?a"], ["origin", base + "/elsewhere"],
]) {
  const again = await browser.openOrReuseTab(url, { match });
  same(again.reused, true, "reused by " + match);
  if (match !== "origin") same(again.targetId, second.targetId, "the tab by " + match);
}
await browser.switchTab(second.targetId);
same(await page.evaluate("document.title", home.targetId), "Playground", "title of the other tab");
same((await browser.currentTab()).targetId, second.targetId, "still the current tab");

// A tab that cannot be opened leaves no trace.
const tabs = JSON.stringify(await browser.listTabs());
await fails(() => browser.openOrReuseTab("http://"), "invalid URL");
same(JSON.stringify(await browser.listTabs()), tabs, "the tabs after one that could not be opened");
same((await browser.currentTab()).targetId, second.targetId, "the current tab after it");

const third = await browser.openOrReuseTab(base + "/next", { wait: true, timeout: 8000, settle: 20 });
same(await browser.closeTab({ targetId: third.targetId }), third.targetId, "closed by object");
await browser.switchTab({ targetId: second.targetId });
same(await browser.closeTab(), second.targetId, "closed the active one");
await fails(() => browser.closeTab(""), "closeTab requires a targetId");
same((await browser.listTabs({ includeChrome: false })).length, 1, "tabs that are left");

const committed = await page.goto(base + "/slow/load?ms=300", { waitUntil: "commit" });
same(committed.loaded, false, "loaded at commit");
check(typeof committed.navigation.frameId === "string", "the frame that navigated");
check(await page.waitForLoadState("load", { timeout: 8000 }), "loaded in the end");
same((await page.goto(base + "/next", { settle: 30 })).loaded, true, "loaded and settled");

// A frame of this origin is no target; one of another origin may be.
check((await page.goto(base + "/frames")).loaded, "the frames loaded");
same(await browser.iframeTarget("where=near"), null, "the target of the near frame");
const other = await browser.iframeTarget("where=other");
check(other === null || (typeof other === "string" && other !== ""), "the target of the other frame");
if (other !== null) same(await page.evaluate("document.title", other), "Frame", "title in the other frame");
for (const frame of ["#near", "#other"]) {
  const button = page.frameLocator(frame).getByRole("button", { name: "In the frame" });
  await button.click();
  same(await page.frameLocator(frame).locator("button").innerText(), "Pressed", "the button in " + frame);
}
await done();
