// A link whose answer is to be saved.
await open();
const { readFile, stat } = await import("node:fs/promises");
const begun = page.waitForEvent("download", { timeout: 10000 });
await page.locator("#notes").click();
const download = await begun;
same(download.suggestedFilename(), "notes.txt", "its name");
same(download.url(), args.base + "/files/notes.txt", "where it is from");
const path = await download.path();
same(await readFile(path, "utf8"), "notes of the playground\n", "what is in it");
const copy = `${args.dir}/saved in ${args.space}/copy.txt`;
same(await download.saveAs(copy), copy, "where it was saved");
same((await stat(copy)).size, 24, "the size of the copy");
same(await page.url(), args.base + "/", "the page stayed");
await fails(() => page.waitForEvent("download", { timeout: 100 }), "page.waitForEvent timed out");
await fails(() => page.waitForEvent("rain", { timeout: 100 }), "download");
await done();
