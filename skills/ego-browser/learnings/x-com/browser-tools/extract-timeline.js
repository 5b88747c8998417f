// Reads the open timeline. X keeps only the posts near the viewport in the document, so posts are collected while scrolling.
async ({ limit = 50, maxScrolls = 0, settleMs = 1500, includePromoted = false } = {}) => {
  const inside = (node, name) => node.querySelector(`[data-testid="${name}"]`);

  // The text of a node with emoji, which are images, put back.
  const text = (node) =>
    [...(node?.childNodes ?? [])]
      .map((child) => {
        if (child.nodeName === "IMG") return child.alt;
        if (child.nodeName === "BR") return "\n";
        return child.nodeName === "#text" ? child.data : text(child);
      })
      .join("");

  const countNames = { replies: /repl(y|ies)/, reposts: /repost/, likes: /like/, bookmarks: /bookmark/, views: /view/ };

  // "12 replies, 3 reposts, 1,204 likes, 8200 views": exact, unlike the figures on the buttons.
  const countsOf = (post) => {
    const label = post.querySelector('[role="group"][aria-label]')?.getAttribute("aria-label")?.toLowerCase() ?? "";
    const parts = label.split(/,\s+/).map((part) => {
      const [, figure, what = ""] = /^([\d,.\u00a0\u202f]+)\s+(.*)$/.exec(part) ?? [];
      return [what, figure?.replace(/\D/g, "")];
    });
    return Object.fromEntries(
      Object.entries(countNames).map(([name, pattern]) => {
        const figure = parts.find(([what]) => pattern.test(what))?.[1];
        return [name, figure ? Number(figure) : null];
      }),
    );
  };

  const mediaOf = (post) => [
    ...[...post.querySelectorAll('[data-testid="tweetPhoto"] img')].map((image) => ({ type: "photo", url: image.src, alt: image.alt || null })),
    ...[...post.querySelectorAll('[data-testid="videoPlayer"] video')].map((video) => ({ type: "video", url: video.poster || null, alt: null })),
  ];

  // The time of a post is a link to it. A quoted post inside has its own time, after the first.
  const readPost = (post) => {
    const time = post.querySelector("a[href*='/status/'] time");
    const link = time?.closest("a");
    const [, handle, id] = link?.getAttribute("href")?.match(/^(?:https?:\/\/[^/]+)?\/(\w+)\/status\/(\d+)/) ?? [];
    const promoted = Boolean(post.closest('[data-testid="placementTracking"]') ?? inside(post, "placementTracking")) || !time;
    if (!id && !promoted) return null;

    const quoted = [...post.querySelectorAll('[role="link"][tabindex] [data-testid="tweetText"]')].at(-1);
    const own = [...post.querySelectorAll('[data-testid="tweetText"]')].find((node) => node !== quoted);
    const replyingTo = [...post.querySelectorAll('div[dir] > a[href^="/"]')]
      .filter((anchor) => /^replying to/i.test(text(anchor.parentElement).trim()))
      .map((anchor) => anchor.getAttribute("href").slice(1));
    const profile = inside(post, "User-Name")?.querySelector('a[href^="/"]');
    return {
      id: id ?? null,
      url: id ? new URL(`/${handle}/status/${id}`, location.origin).href : null,
      handle: handle ?? profile?.getAttribute("href")?.split("/")[1] ?? null,
      name: text(profile).trim() || null,
      text: text(own).trim(),
      postedAt: time?.getAttribute("datetime") ?? null,
      lang: own?.getAttribute("lang") ?? null,
      context: text(inside(post, "socialContext")).trim() || null,
      replyingTo,
      quoted: quoted ? text(quoted).trim() : null,
      media: mediaOf(post),
      counts: countsOf(post),
      promoted,
    };
  };

  const posts = new Map();
  const collect = () => {
    const before = posts.size;
    for (const node of document.querySelectorAll('article[data-testid="tweet"]')) {
      const post = readPost(node);
      if (!post || (post.promoted && !includePromoted)) continue;
      const key = post.id ?? `${post.handle}:${post.text}`;
      if (!posts.has(key)) posts.set(key, post);
    }
    return posts.size - before;
  };

  // Waits for the first new posts, up to settleMs, and returns how many there were.
  const collectNew = async () => {
    const step = 100;
    for (let waited = 0; ; waited += step) {
      const added = collect();
      if (added > 0 || waited >= settleMs) return added;
      await new Promise((resolve) => setTimeout(resolve, step));
    }
  };

  // Lists stall for one scroll now and then; two in a row without news is the end.
  const top = window.scrollY;
  let scrolls = 0;
  let stalls = 0;
  collect();
  for (; scrolls < maxScrolls && posts.size < limit && stalls < 2; scrolls += 1) {
    window.scrollBy(0, Math.round(window.innerHeight * 0.9));
    stalls = (await collectNew()) > 0 ? 0 : stalls + 1;
  }
  if (scrolls > 0) window.scrollTo(0, top);

  return {
    url: location.href,
    posts: [...posts.values()].slice(0, Math.max(limit, 0)),
    complete: stalls >= 2 && posts.size <= limit,
  };
}
