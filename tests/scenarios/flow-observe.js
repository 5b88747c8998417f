// Looking, acting by ref, looking again.
await open();
const { content, refs } = await page.snapshotRaw();
check(!content.includes("A new line"), "no line yet");
const ref = (name) => "@" + refs.find((r) => r.role === "button" && r.name === name).backendNodeId;
await page.locator(ref("Add one")).click();
await page.locator(ref("Add one")).click();
same(await text("#count"), "2", "the count");
await page.locator(ref("Add a line")).click();
check((await page.snapshot()).includes("A new line"), "the line is in the snapshot");
await page.locator("#remove").click();
check(!(await page.snapshot()).includes("A new line"), "the line is gone");
const { stat } = await import("node:fs/promises");
const path = await page.screenshot({ path: `${args.dir}/look of ${args.space}.png` });
check((await stat(path)).size > 1000, "the picture");
check(Array.isArray(await page.drainEvents()), "events");
check(Array.isArray(await page.drainEvents()), "events again");
await done();
