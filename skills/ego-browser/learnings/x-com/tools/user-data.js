// What a user cell says, as plain data. Nothing here touches the browser.

const RESERVED = new Set(["home", "explore", "search", "notifications", "messages", "settings", "compose", "i", "hashtag", "login", "tos", "privacy"]);

/** The handle of a profile address, or null when the address is of something else. */
export function handleFromPath(path = "") {
  const [, first = "", ...rest] = path.split(/[?#]/)[0].split("/");
  const valid = /^\w{1,15}$/.test(first) && !RESERVED.has(first.toLowerCase());
  return valid && rest.every((part) => part === "") ? first : null;
}

export const profileUrl = (handle) => `https://x.com/${handle}`;

export function searchUrl(query, tab = "user") {
  const url = new URL("https://x.com/search");
  url.search = new URLSearchParams({ q: query, src: "typed_query", f: tab }).toString();
  return url.href;
}

/** Turns what was read from a cell into a user, or null for a cell without a profile. */
export function toUser({ paths = [], name, bio, badges = {}, button, avatarUrl } = {}) {
  const handle = paths.map((path) => handleFromPath(path)).find(Boolean);
  if (!handle) return null;
  return {
    handle,
    name: name?.trim() || handle,
    url: profileUrl(handle),
    bio: bio?.trim() ?? "",
    verified: badges.verified ?? false,
    protected: badges.locked ?? false,
    following: button ? /-unfollow$/.test(button) : null,
    avatarUrl: avatarUrl ?? null,
  };
}

/** Adds users to the map under their lower-case handle; returns how many were new. */
export function addUsers(users, cells) {
  const before = users.size;
  for (const cell of cells) {
    const user = toUser(cell);
    const key = user?.handle.toLowerCase();
    if (key && !users.has(key)) users.set(key, user);
  }
  return users.size - before;
}
