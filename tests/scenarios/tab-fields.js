// The field that names a tab is targetId and nothing else.
await open();
const tabs = await browser.listTabs();
check(tabs.length > 0 && tabs.every((tab) => typeof tab.targetId === "string" && tab.targetId !== ""), "every tab has its id");
check(tabs.every((tab, i) => tab.index === i && typeof tab.title === "string"), "every tab has its place and title");
await fails(() => browser.switchTab({ id: tabs[0].targetId }), "switchTab requires a targetId");
await fails(() => browser.switchTab(""), "switchTab requires a targetId");
await fails(() => browser.closeTab({ id: tabs[0].targetId }), "closeTab requires a targetId");
same(await browser.iframeTarget("no-such-frame"), null, "a frame that is not there");
same((await browser.listTabs()).length, tabs.length, "tabs");
await done();
