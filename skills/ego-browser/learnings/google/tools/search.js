import { blockedBy, searchUrl } from "./result-url.js";

// Runs in the page. Results are links with a heading; everything else about their markup changes.
const readResults = (links, { skip, wide }) => {
  const target = (href) => {
    const url = new URL(href, location.href);
    const redirect = url.pathname === "/url" ? url.searchParams.get("q") ?? url.searchParams.get("url") : null;
    return redirect ? new URL(redirect, location.href) : url;
  };
  const text = (node) => node?.innerText?.replace(/\s+/g, " ").trim() ?? "";

  // The block of a result is the widest ancestor that holds no other result.
  const blockOf = (link) => {
    let block = link;
    for (let up = link.parentElement; up && !up.matches(wide); up = up.parentElement) {
      if (up.querySelectorAll("a[href] h3").length > 1) break;
      block = up;
    }
    return block;
  };

  const found = new Map();
  for (const link of links) {
    if (link.closest(skip) || !link.getAttribute("href")) continue;
    const { href, protocol, hostname } = target(link.href);
    const google = /(^|\.)google\.[a-z.]+$/.test(hostname) && hostname === location.hostname;
    if (!protocol.startsWith("http") || google || found.has(href)) continue;

    const title = text(link.querySelector("h3"));
    const block = blockOf(link);
    const snippet = [...block.querySelectorAll("div, span")]
      .filter((node) => !node.contains(link) && !link.contains(node))
      .map(text)
      .reduce((longest, next) => (next.length > longest.length ? next : longest), "");
    found.set(href, { title, url: href, host: hostname.replace(/^www\./, ""), snippet });
  }
  return [...found.values()];
};

const readRelated = (links) =>
  [...new Set(links.map((link) => link.innerText.replace(/\s+/g, " ").trim()).filter(Boolean))];

const outsideResults = "#tads, #bottomads, #tvcap, [data-text-ad], [data-q], g-scrolling-carousel, [role=navigation]";

export async function search(ctx, { query, limit = 10, page = 1, language = "en", timeoutMs = 15000 } = {}) {
  if (!query?.trim()) throw new Error("query must not be empty");
  const most = Math.min(Math.max(limit, 1), 50);

  // One result tab serves all searches: a reused one still shows the last query.
  const wanted = searchUrl({ query, page: Math.max(page, 1), language });
  const tab = await ctx.browser.openOrReuseTab(wanted, { match: "origin+path", wait: true, timeout: timeoutMs });
  if (tab.reused && tab.url !== wanted) await ctx.page.goto(wanted, { timeout: timeoutMs });
  await ctx.page.waitForLoadState("domcontentloaded", { timeout: timeoutMs });

  const url = await ctx.page.url();
  const answer = { query, url, status: "ok", results: [], related: [], hasNextPage: false };
  const block = blockedBy(url);
  if (block) return { ...answer, status: block };

  const results = await ctx.page
    .locator("#search a[href]:has(h3)")
    .evaluateAll(readResults, { skip: outsideResults, wide: "#search, #rso" });
  if (results.length === 0) {
    const searchBoxes = await ctx.page.locator("textarea[name=q], input[name=q]").evaluateAll((boxes) => boxes.length);
    if (searchBoxes === 0) throw new Error(`${url} is no result page`);
    return { ...answer, status: "empty" };
  }

  const [related, hasNextPage] = await Promise.all([
    ctx.page.locator("#botstuff a[href*='/search?']:not([role=navigation] a)").evaluateAll(readRelated),
    ctx.page.locator("a#pnnext").evaluateAll((links) => links.length > 0),
  ]);
  return {
    ...answer,
    results: results.slice(0, most).map((result, index) => ({ position: index + 1, ...result })),
    related,
    hasNextPage,
  };
}
