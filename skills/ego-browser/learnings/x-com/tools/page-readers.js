// What runs in the page. Functions that are sent there see only their arguments.

/** What stands in the place of results, by the status it means. */
export const WALLS = {
  login: '[data-testid="loginButton"], input[autocomplete="username"]',
  error: '[data-testid="error-detail"]',
  empty: '[data-testid="emptyState"]',
};

/** "ok" when the page has entries for the selector, else which wall is there; a page with neither is "empty". */
export async function pageStatus(ctx, entries) {
  return ctx.page.evaluate(
    ({ entries, walls }) => {
      if (document.querySelector(entries)) return "ok";
      return Object.keys(walls).find((status) => document.querySelector(walls[status])) ?? "empty";
    },
    { entries, walls: WALLS },
  );
}

/** The parts of each user cell in the page, for toUser. */
export async function readCells(ctx, cells) {
  return ctx.page.locator(cells).evaluateAll((nodes, testid) => {
    // Emoji are images with the character in alt.
    const text = (node) =>
      [...(node?.childNodes ?? [])]
        .map((child) => (child.nodeName === "IMG" ? child.alt : child.nodeName === "#text" ? child.data : text(child)))
        .join("");
    const has = (node, name) => node.querySelector(`[${testid}="${name}"]`) !== null;

    return nodes.map((node) => {
      const links = [...node.querySelectorAll("a[href]")];
      const profile = links.find((link) => text(link).trim() && !text(link).trim().startsWith("@"));
      const handle = links.find((link) => text(link).trim().startsWith("@"));
      // The bio is the last block of text that belongs to no link or button.
      const bio = [...node.querySelectorAll('div[dir="auto"]')]
        .filter((block) => !block.closest("button, a, [role=button]") && !block.querySelector('a[role="link"] [dir]'))
        .map(text)
        .filter((line) => line.trim() && !line.trim().startsWith("@"))
        .at(-1);
      return {
        paths: [handle, profile, ...links].filter(Boolean).map((link) => link.getAttribute("href")),
        name: text(profile).trim(),
        bio,
        badges: { verified: has(node, "icon-verified"), locked: has(node, "icon-lock") },
        button: node.querySelector(`button[${testid}$="follow"]`)?.getAttribute(testid) ?? null,
        avatarUrl: node.querySelector("img[src*='profile_images']")?.src ?? null,
      };
    });
  }, "data-testid");
}
