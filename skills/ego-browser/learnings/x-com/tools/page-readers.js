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
      const links = [...node.querySelectorAll("a[href]")].map((link) => ({ path: link.getAttribute("href"), text: text(link).trim() }));
      // Of the links with text one repeats the handle and the other is the name, which may begin with "@" too.
      const handle = links.find(({ path, text }) => text.toLowerCase() === `@${path.slice(1).toLowerCase()}`);
      const profile = links.find((link) => link.text && link !== handle);
      // The bio is the last block of text outside links and buttons. The cell itself is a button.
      const bio = [...node.querySelectorAll('div[dir="auto"]')]
        .filter((block) => [null, node].includes(block.closest("a, button, [role=button]")))
        .map((block) => text(block).trim())
        .filter(Boolean)
        .at(-1);
      return {
        paths: [handle, ...links].filter(Boolean).map(({ path }) => path),
        name: profile?.text,
        bio,
        badges: { verified: has(node, "icon-verified"), locked: has(node, "icon-lock") },
        button: node.querySelector(`button[${testid}$="follow"]`)?.getAttribute(testid) ?? null,
        avatarUrl: node.querySelector("img[src*='profile_images']")?.src ?? null,
      };
    });
  }, "data-testid");
}
