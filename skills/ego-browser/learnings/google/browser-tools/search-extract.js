// Reads the open result page. It changes nothing and waits for nothing.
({ limit = Infinity, includeAds = false } = {}) => {
  const text = (node) => node?.innerText?.replace(/\s+/g, " ").trim() ?? "";
  const unique = (list) => [...new Set(list.filter(Boolean))];
  const adBlock = "#tads, #bottomads, #tvcap, [data-text-ad]";
  const noResult = "[data-q], g-scrolling-carousel, [role=navigation]";

  const target = (link) => {
    const url = new URL(link.getAttribute("href"), location.href);
    const redirect = url.pathname === "/url" ? url.searchParams.get("q") ?? url.searchParams.get("url") : null;
    try {
      return redirect ? new URL(redirect) : url;
    } catch {
      return url;
    }
  };

  const snippetOf = (link) => {
    let block = link;
    for (let up = link.parentElement; up && !up.matches("#search, #rso, #tads"); up = up.parentElement) {
      if (up.querySelectorAll("a[href] h3, a[href] [role=heading]").length > 1) break;
      block = up;
    }
    return [...block.querySelectorAll("div, span")]
      .filter((node) => !node.contains(link) && !link.contains(node))
      .map(text)
      .reduce((longest, next) => (next.length > longest.length ? next : longest), "");
  };

  const results = new Map();
  for (const link of document.querySelectorAll("#search a[href], #tads a[href], #bottomads a[href]")) {
    const heading = link.querySelector("h3, [role=heading]");
    const ad = Boolean(link.closest(adBlock));
    if (!heading || link.closest(noResult) || (ad && !includeAds)) continue;
    const { href, hostname, protocol } = target(link);
    if (!protocol.startsWith("http") || hostname === location.hostname || results.has(href)) continue;
    results.set(href, {
      title: text(heading),
      url: href,
      host: hostname.replace(/^www\./, ""),
      snippet: snippetOf(link),
      ad,
    });
  }

  const next = document.querySelector("a#pnnext")?.getAttribute("href");
  return {
    query: document.querySelector("textarea[name=q], input[name=q]")?.value ?? new URLSearchParams(location.search).get("q") ?? "",
    results: [...results.values()]
      .slice(0, Number.isFinite(limit) ? Math.max(limit, 0) : undefined)
      .map((result, index) => ({ position: index + 1, ...result })),
    questions: unique([...document.querySelectorAll("[data-q]")].map((node) => node.dataset.q?.trim())),
    related: unique([...document.querySelectorAll("#botstuff a[href*='/search?']:not([role=navigation] a)")].map(text)),
    nextPageUrl: next ? new URL(next, location.href).href : null,
  };
};
