// The members there are, those there are not, and the ways to find elements.
await open();
for (const name of ["page", "browser", "taskSpaces", "site", "fetch"]) same(typeof globalThis[name], "object", name);
for (const name of ["cdp", "help"]) same(typeof globalThis[name], "function", name);
for (const name of ["click", "fill", "goto", "evaluate", "newTab", "cliLog", "snapshotText", "js"]) {
  same(typeof globalThis[name], "undefined", "the flat name " + name);
}
for (const name of ["goto", "reload", "info", "url", "title", "evaluate", "snapshot", "snapshotRaw", "screenshot", "locator", "waitForURL"]) {
  same(typeof page[name], "function", "page." + name);
}
for (const name of ["press", "down", "up", "insertText", "type"]) same(typeof page.keyboard[name], "function", "keyboard." + name);
for (const name of ["click", "dblclick", "move", "down", "up", "wheel", "drag"]) same(typeof page.mouse[name], "function", "mouse." + name);
for (const name of ["listTabs", "currentTab", "switchTab", "openOrReuseTab", "closeTab", "ensureRealTab", "iframeTarget"]) {
  same(typeof browser[name], "function", "browser." + name);
}
const body = page.locator("body");
for (const name of ["click", "fill", "evaluateAll", "first", "nth", "last", "filter", "waitFor", "boundingBox"]) {
  same(typeof body[name], "function", "locator." + name);
}
same(typeof body.extractAll, "undefined", "locator.extractAll");
check(help("no such thing").includes("Unknown helper"), "help says what it does not know");

same(await page.getByText("Late but here").getAttribute("id"), "late", "by text");
same(await page.getByLabel("Your name").getAttribute("id"), "name", "by label");
same(await page.getByPlaceholder("First and last").getAttribute("id"), "name", "by placeholder");
same(await page.getByAltText("A cup").getAttribute("id"), "cup", "by alternative text");
same(await page.getByTitle("A hint").innerText(), "hinted", "by title");
same(await page.getByTestId("by-id").innerText(), "found by id", "by test id");
same(await page.locator("text=IS NEVER LATE").count(), 0, "text in another case");
same(await page.locator("text=Tea is never late").getAttribute("id"), "quote", "text across elements");

// The accessibility tree does not have the twin that is not shown.
const twins = page.getByRole("button", { name: "Twin" });
same(await twins.count(), 2, "twins by role");
same(await page.locator(".twin").count(), 3, "twins by class");
same(await twins.nth(1).getAttribute("data-n"), "2", "the second twin");
await twins.nth(1).click();
same(await page.locator(".twin").nth(1).innerText(), "Pressed 2", "the twin that was clicked");
same(await page.locator(".twin").first().evaluateAll((all) => all.length), 1, "elements of first()");
const options = page.getByRole("option", { name: "Cup" });
same(await options.count(), 2, "options by role");
same(await page.locator("#cups [role=option]").count(), 3, "options by attribute");
await options.nth(1).click();
same(await page.locator("#cups").getAttribute("data-chosen"), "2", "the option that was chosen");
await page.locator("#name").fill("by a locator");
same(await page.locator("#name").inputValue(), "by a locator", "the field");

// Inside an open shadow root and inside frames.
await page.getByRole("button", { name: "Open the box" }).click();
same(await page.locator("tea-box").getAttribute("data-open"), "yes", "the box");
await done();
