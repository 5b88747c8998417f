// A closed tab is gone, and nothing switches to it.
await open();
const second = await browser.openOrReuseTab(args.base + "/second");
await browser.closeTab(second.targetId);
const left = await browser.listTabs();
check(!left.some((tab) => tab.targetId === second.targetId), "the closed tab is not listed");
await fails(() => browser.switchTab(second.targetId), "switchTab target not found", second.targetId);
await fails(() => browser.closeTab(second.targetId), second.targetId);
check((await browser.currentTab()).url.startsWith(args.base), "another tab is current");
same(await page.title(), "Playground", "the page that is left");
await done();
