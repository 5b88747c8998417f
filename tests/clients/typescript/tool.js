// @ts-check
// What authors write: all of it must compile. Each "@ts-expect-error" is a mistake
// that must be found.

/** @param {import("egod").Ctx} ctx @param {{query: string}} args */
export async function run(ctx, { query }) {
  const { page, browser, site, fetch, taskSpaces, cdp, help } = ctx;
  const tab = await browser.openOrReuseTab(`https://x.com/search?q=${query}`, { match: "origin", timeout: 5000 });
  /** @type {boolean} */
  const reused = tab.reused;
  const { loaded } = await page.goto("https://x.com", { waitUntil: "load", timeout: 10_000, settle: 50 });
  await page.waitForURL(/search/);
  await page.waitForURL((url) => url.searchParams.has("q"), { timeout: 1000 });
  await page.waitForLoadState("networkidle", { idleMs: 500 });
  await page.waitForLoadState({ timeout: 1 });
  const items = page.locator("li").filter({ hasText: /tea/i }).first();
  await items.getByRole("button", { name: "Buy", exact: true }).click({ button: "left", position: { x: 1, y: 2 } });
  await items.dragTo(page.getByText("basket"));
  const found = await page.locator("li").evaluateAll((elements, { limit }) => elements.slice(0, limit).map((e) => String(e.id)), { limit: 3 });
  const sum = await page.evaluate(async ({ a, b }) => a + b, { a: 1, b: 2 });
  const title = (await page.locator("h1").textContent())?.trim() ?? "";
  await page.keyboard.press("Control+A");
  await page.mouse.click(10, 20, { delay: 5 });
  await page.mouse.click([10, 20]);
  await page.mouse.drag([[0, 0], "#target", { selector: "#b", x: 1, y: 1 }]);
  const download = await page.waitForEvent("download", { timeout: 1000 });
  const response = await page.waitForResponse((r) => r.ok() && r.request().method() === "POST");
  const text = await fetch.server(new URL("https://x.com"), { method: "POST", body: new URLSearchParams({ q: query }), timeout: 5, signal: AbortSignal.timeout(100) });
  const space = await taskSpaces.new("work");
  await taskSpaces.complete(space.id, { keep: false });
  const [skill] = await site.skillsForUrl("x.com");
  await cdp("Page.getLayoutMetrics");
  return {
    reused, loaded, found: found.map((id) => id.toUpperCase()), sum: sum.toFixed(1), title, text, help: help("page").length, name: space.name,
    file: download.suggestedFilename(), status: response.status(), pattern: skill.match.pattern, value: await site.runTool("a", "b", { c: 1 }),
  };
}

/** @param {import("egod").Ctx} ctx */
export async function mistakes({ page, browser, fetch, taskSpaces }) {
  // @ts-expect-error the option is called timeout
  await page.goto("https://x.com", { timeuot: 5 });
  // @ts-expect-error no such function
  await page.gotoo("https://x.com");
  // @ts-expect-error a URL is a string here
  await page.goto(5);
  // @ts-expect-error there is no such state
  await page.waitForSelector("a", { state: "there" });
  // @ts-expect-error help is of ctx
  page.help();
  // @ts-expect-error the space of a run is not chosen by an option
  await page.url({ space: "a" });
  // @ts-expect-error keep must be said
  await taskSpaces.complete("a", {});
  // @ts-expect-error a promise is no string
  (await browser.currentTab()).url.trim().then();
  // @ts-expect-error text is a promise
  fetch.server("https://x.com").trim();
  // @ts-expect-error the event has no such name
  await page.waitForEvent("load");
}

/** @type {import("egod").NodeTool<{n: number}, {twice: number}>} */
export const twice = async (_ctx, { n }) => ({ twice: n * 2 });
