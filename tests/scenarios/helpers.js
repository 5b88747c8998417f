// Put behind every scenario by scenarios_test.go: declarations are hoisted.

function check(holds, what) {
  check.count = (check.count ?? 0) + 1;
  if (!holds) throw new Error("check " + check.count + " failed: " + what);
}

function same(got, want, what) {
  const shown = (v) => (typeof v === "bigint" || typeof v === "number" ? String(v) : JSON.stringify(v));
  check(Object.is(got, want) || (typeof want === "object" && shown(got) === shown(want)), `${what} is ${shown(got)}, want ${shown(want)}`);
}

// start must fail with a message that has all the parts.
async function fails(start, ...parts) {
  let message;
  try {
    await start();
  } catch (error) {
    message = error instanceof Error ? error.message : "not an Error: " + String(error);
  }
  check(message !== undefined, "it did not fail, want " + parts.join(", "));
  for (const part of parts) check(message.includes(part), `the message is ${JSON.stringify(message)}, want ${JSON.stringify(part)}`);
  return message;
}

// Selects the scenario's task space, closes what is open there, and shows a page
// of the playground in a new tab.
async function open(path = "/") {
  await taskSpaces.useOrCreate(args.space);
  await taskSpaces.takeOver(args.space);
  await taskSpaces.waitForAgentControl(args.space, { interval: 0.1, timeout: 5 });
  for (const tab of await browser.listTabs({ includeChrome: false })) await browser.closeTab(tab.targetId);
  const tab = await browser.openOrReuseTab(args.base + "/second?fresh=" + Date.now());
  await browser.switchTab(tab.targetId);
  await cdp("Page.bringToFront");
  await cdp("Emulation.setDeviceMetricsOverride", { width: 1280, height: 800, deviceScaleFactor: 1, mobile: false });
  const { loaded } = await page.goto(args.base + path);
  check(loaded, path + " loaded");
  if (path !== "/") return;
  const complete = await page.waitForSelector("#late", { state: "visible", timeout: 8000 });
  const state = () => page.evaluate(() => [document.readyState, document.visibilityState, performance.now(), document.body.innerText.slice(-200)]);
  check(complete, "the page is complete" + (complete ? "" : ", it is " + await state()));
}

function text(selector) {
  return page.locator(selector).textContent();
}

async function done() {
  if (args.report) {
    const fs = await import("node:fs/promises");
    await fs.writeFile(args.report, JSON.stringify({ ok: true, assertions: check.count }));
  }
  console.log("ok " + check.count);
}
