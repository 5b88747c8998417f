// A task from nothing: files, the server, a space, a tab, and a page that is reset.
const { stat, readFile, writeFile } = await import("node:fs/promises");
const { join } = await import("node:path");

const upload = await stat(join(args.dir, "one.txt"));
check(upload.isFile() && !upload.isDirectory(), "the file to upload is a file");
same(upload.size, 10, "its size");
check((await stat(args.dir)).isDirectory(), "the directory is one");
const notes = join(args.dir, `${args.space} start.json`);
await writeFile(notes, JSON.stringify({ started: true }));
same(JSON.parse(await readFile(notes, "utf8")).started, true, "what was written");

const space = await taskSpaces.useOrCreate(args.space);
same(space.name, args.space, "the name of the space");
await open();
same(JSON.parse(await fetch.server(args.base + "/health")).ok, true, "health by the daemon");
same(JSON.parse(await fetch.browser("/health")).name, "playground", "health by the page");

const info = await page.info();
same(info.title, "Playground", "title");
same(info.url, args.base + "/", "url");
same([info.w, info.h], [1280, 800], "viewport");
check(info.ph >= 2600 && info.sy === 0, "the page is long and at its top");
same(await page.evaluate(() => [document.visibilityState, document.hasFocus()]), ["visible", true], "the page in front");
const { result } = await cdp("Runtime.evaluate", { expression: "document.title", returnByValue: true });
same(result.value, "Playground", "the title by cdp");

await page.locator("#name").fill("dirty");
same(await page.locator("#name").inputValue(), "dirty", "the field");
await open();
same(await page.locator("#name").inputValue(), "", "the field of the fresh page");

const path = await page.screenshot();
check(typeof path === "string" && path.endsWith(".png"), "the path of the screenshot is " + path);
const { size } = await stat(path);
check(size > 1000, "the screenshot has " + size + " bytes");
const tabs = await browser.listTabs({ includeChrome: false });
same(tabs.length, 1, "open tabs");
check(typeof tabs[0].targetId === "string" && tabs[0].active && tabs[0].url === args.base + "/", "the tab is listed");
await done();
