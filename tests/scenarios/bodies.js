// Bodies of responses: of a redirect, of none, and of one that is too old.
await open("/second");
const asked = async (match, path, options) => {
  const waiting = page.waitForResponse(match);
  await page.evaluate(([url, options]) => { fetch(url, options); }, [args.base + path, options ?? {}]);
  return waiting;
};
const hop = await asked((r) => r.url().endsWith("/api/redirect"), "/api/redirect");
same([hop.status(), hop.ok()], [302, false], "the redirect");
await fails(() => hop.text(), "a redirect has no body");
const bare = await asked(/\/api\/bytes/, "/api/bytes?n=0");
same([bare.status(), (await bare.body()).length], [200, 0], "an empty body");
const head = await asked(/\/api\/text/, "/api/text", { method: "HEAD" });
same(await head.text(), "", "the body of an answer to HEAD");

const waiting = page.waitForResponse(args.base + "/second?old");
await page.goto(args.base + "/second?old");
const old = await waiting;
check((await old.text()).includes("<"), "the body of a document");
await page.goto(args.base + "/");
await fails(() => old.text(), "not kept any more");
await done();
