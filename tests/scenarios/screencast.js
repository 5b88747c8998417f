// A film of the page. What is in it is checked in screencast_test.go.
await open();
const { readFile, stat } = await import("node:fs/promises");
const mark = "1a45dfa3"; // what a WebM file begins with
const isFilm = async (path) => (await readFile(path)).subarray(0, 4).toString("hex") === mark;

const path = `${args.dir}/film in ${args.space}.webm`;
const film = await page.screencast.start({ path, size: { width: 641, height: 480 }, quality: 70 });
same([film.path, film.width, film.height], [path, 640, 480], "the film that began");
await fails(() => page.screencast.start({ path: args.dir + "/other.webm" }), "already started");
await page.evaluate(() => { document.body.style.background = "gold"; });
await page.goto(args.base + "/second"); // a film goes on in the next document
same(await page.screencast.stop(), path, "what stop gives");
same(await page.screencast.stop(), null, "what a second stop gives");
check(await isFilm(path), "the film is WebM");
await film.dispose(); // of one that has ended does nothing

// Without a path it is a file that this run may read; disposing of it ends it.
{
  const own = await page.screencast.start();
  same([own.width, own.height], [800, 500], "the viewport scaled to 800");
  await own[Symbol.asyncDispose]();
  check((await stat(own.path)).size > 1000 && await isFilm(own.path), "the film of its own");
}

// A hidden tab shows nothing new: the film is of what it looks like.
const recorded = await browser.currentTab();
await page.screencast.start();
await browser.openOrReuseTab(args.base + "/second?other");
check(await isFilm(await page.screencast.stop()), "the film of the tab that was left");
await browser.closeTab(recorded.targetId);

for (const wrong of [{ path: "x.webm" }, { path: args.dir + "/x.mp4" }, { path: 5 }]) await fails(() => page.screencast.start(wrong), "path");
await fails(() => page.screencast.start({ size: { width: 1, height: 2 } }), "width and height");
await fails(() => page.screencast.start({ quality: -1 }), "quality");

// One that is not stopped ends with the script.
await page.screencast.start({ path: `${args.dir}/left in ${args.space}.webm` });
await done();
