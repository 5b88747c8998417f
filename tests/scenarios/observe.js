// Snapshots, points, pictures and events of a page.
await open();
const fs = await import("node:fs/promises");
const { content, refs } = await page.snapshotRaw();
check(content.includes("Playground") && content.includes("Your name"), "the snapshot has heading and label");
check(content.includes("Count up"), "the snapshot has the text of the button");
const counter = refs.find((ref) => ref.role === "button" && ref.name.includes("Add one"));
check(counter && Number.isInteger(counter.backendNodeId), "the button has a ref");
const short = await page.snapshot({ scope: "only_within_viewport", includeActionMarks: false, includeStableLocator: false });
check(typeof short === "string" && short.includes("Playground") && !short.includes("ref="), "the short snapshot");

const id = counter.backendNodeId;
const center = await page.elementCenter("#counter");
same((await cdp("Runtime.evaluate", { expression: "6 * 7" }, center.sessionId)).result.value, 42, "the session of the center");
check(center.x > 0 && center.y > 0, "the middle of the button");
for (const selector of ["@" + id, "ref=" + id, "loc=css:#counter", "xpath=//button[@id='counter']"]) {
  const at = await page.elementCenter(selector);
  check(Math.abs(at.x - center.x) <= 1 && Math.abs(at.y - center.y) <= 1, "the middle by " + selector);
}
const link = await page.elementCenter("#next-again");
same((await page.elementCenter("loc=href:/next?again=1#part")).y, link.y, "the link by its address");
await fails(() => page.elementCenter("#missing"), "Element not found");
await fails(() => page.elementCenter("xpath=//nothing"), "Element not found");
await fails(() => page.elementCenter("loc=href:/nowhere"), "matched 0");
await fails(() => page.elementCenter("loc=css:.twin"), "matched 3");
await fails(() => page.elementCenter("@99999999"), "Unknown ref");
await fails(() => page.elementCenter("button["), "Invalid selector");

// Pictures.
const png = async (options) => {
  const path = await page.screenshot(options);
  const bytes = await fs.readFile(path);
  same([bytes[0], bytes[1], bytes[2], bytes[3]], [0x89, 0x50, 0x4e, 0x47], "the first bytes of " + path);
  return { path, width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
};
const viewport = await png();
same([viewport.width, viewport.height], [1280, 800], "size of the viewport");
const wanted = args.dir + "/pictures of " + args.space + "/page.png";
same((await png({ path: wanted })).path, wanted, "the path that was asked for");
check((await png({ fullPage: true })).height >= 2600, "height of the whole page");
const clip = await png({ raw: true, clip: { x: 10, y: 10, width: 120, height: 60, scale: 1 } });
same([clip.width, clip.height], [120, 60], "size of the part");

// Events are given out once.
await page.drainEvents();
await cdp("Network.enable");
same(await fetch.browser("/api/text"), "plain text", "what the page fetched");
await page.waitForFunction(() => true);
const events = await page.drainEvents();
check(events.some((e) => e.method === "Network.requestWillBeSent" && e.params.request.url.endsWith("/api/text")), "the request is an event");
same((await page.drainEvents()).filter((e) => e.method === "Network.requestWillBeSent").length, 0, "requests after draining");

// What comes later is in the next snapshot.
await page.locator("#add").click();
check(await page.waitForSelector("li.line"), "the line came");
check((await page.snapshot()).includes("A new line"), "the new line is in the snapshot");

await page.goto(args.base + "/frames");
const target = await browser.iframeTarget("where=other");
if (target !== null) check((await page.snapshot()).split("In the frame").length >= 3, "both frames are in the snapshot");
await done();
