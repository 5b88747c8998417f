// @ts-check
// An agent script: the helpers are globals.
async function script() {
  await taskSpaces.useOrCreate("work");
  await page.goto("https://x.com");
  console.log(await page.title(), await browser.listTabs(), help(), args.n);
  console.log(await fetch.server("https://x.com"), ego.helpers.page === page);
  await cdp("Target.getTargets", {});
  // @ts-expect-error no such global helper
  await page.clickAll("a");
}
script();
