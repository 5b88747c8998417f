// Addresses of result pages: building them, and reading what a page's address says about it.

const PER_PAGE = 10;

export function searchUrl({ query, page = 1, language = "en" }) {
  const url = new URL("https://www.google.com/search");
  url.searchParams.set("q", query);
  url.searchParams.set("hl", language);
  if (page > 1) url.searchParams.set("start", String((page - 1) * PER_PAGE));
  return url.href;
}

// A page that is no result page says so by its address, whatever its language.
export function blockedBy(address) {
  const { hostname, pathname } = new URL(address);
  if (hostname.startsWith("consent.")) return "consent";
  if (pathname.startsWith("/sorry/")) return "blocked";
  return null;
}
