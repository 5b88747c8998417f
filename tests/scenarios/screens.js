// Pictures of an emulated screen, and what a picture cannot be taken of or put in.
await open();
const { readFile } = await import("node:fs/promises");
const size = async (path) => { const png = await readFile(path); return `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`; };
const screen = () => page.evaluate(() => `${innerWidth}x${innerHeight}@${devicePixelRatio}`);

await cdp("Emulation.setDeviceMetricsOverride", { width: 600, height: 400, deviceScaleFactor: 2, mobile: false });
same(await screen(), "600x400@2", "the screen");
same(await size(await page.screenshot()), "600x400", "a picture in CSS pixels");
same(await size(await page.screenshot({ raw: true })), "1200x800", "a picture in the screen's pixels");
same(await size(await page.screenshot({ clip: { x: 10, y: 10, width: 30, height: 20 } })), "30x20", "a part");
same(await screen(), "600x400@2", "the screen after the pictures");
await cdp("Emulation.clearDeviceMetricsOverride");
const own = await page.waitForFunction(() => innerWidth !== 600 && innerHeight !== 400 && devicePixelRatio === 1); // the window's size comes after the command's answer
check(own, "the screen is its own again, it is " + await screen());
check((await size(await page.screenshot())).endsWith(String(await page.evaluate(() => innerHeight))), "a picture of the window");

const mark = async (options) => (await readFile(await page.screenshot(options))).subarray(0, 3).toString("hex");
same(await mark({ path: args.dir + "/named in " + args.space + ".JPG" }), "ffd8ff", "a picture whose name says JPEG");
same(await mark({ type: "webp" }), "524946", "a WebP picture");
await fails(() => page.screenshot({ path: args.dir }), args.dir, "cannot be written");
await fails(() => page.screenshot({ clip: { x: 0, y: 0 } }), "width and height");
await fails(() => page.screenshot({ type: "gif" }), "unknown format gif");
await done();
