// HTTP by the daemon and by the page.
await open();
const { base } = args;
for (const [way, at] of [["server", base], ["browser", ""]]) {
  const get = (path, options) => fetch[way](at + path, options);
  same(JSON.parse(await get("/api/json")).cups, 2, "json by " + way);
  same(JSON.parse(await get("/api/echo", { method: "POST", body: "posted" })), { body: "posted", method: "POST" }, "post by " + way);
  same(await get("/api/header", { headers: { "x-playground": "said" } }), "said", "header by " + way);
  same(await get("/api/redirect"), "plain text", "redirect by " + way);
  await fails(() => get("/api/error"), "HTTP 500");
  const start = Date.now();
  await fails(() => get("/api/slow?ms=5000", { timeout: 0.05 }));
  check(Date.now() - start < 4000, "the timeout is seconds");
}
same(await fetch.browser(base + "/api/text"), "plain text", "the whole address by browser");
await done();
