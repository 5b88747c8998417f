import {
  addUsers,
  searchUrl,
} from "./user-data.js";
import {
  WALLS,
  pageStatus,
  readCells,
} from "./page-readers.js";

const CELLS = '[data-testid="primaryColumn"] [data-testid="UserCell"]';

// Whatever the search answers first. Asked of the root, so that any number of cells is one match.
const ANSWERED = `html:has(${CELLS}, ${Object.values(WALLS).join(", ")})`;

// Lists stall for one scroll now and then; two in a row without news is the end.
const STALLED = 2;

export async function searchUsers(ctx, { query, limit = 20, maxScrolls = 10, settleMs = 1200 } = {}) {
  const wanted = query?.trim();
  if (!wanted) throw new Error("query must not be empty");
  const most = clamp(limit, 1, 200);
  const url = searchUrl(wanted);

  await openSearch(ctx, url);
  const answer = { query: wanted, url, status: await pageStatus(ctx, CELLS), users: [], complete: true };
  if (answer.status !== "ok") return answer;

  const users = new Map();
  addUsers(users, await readCells(ctx, CELLS));
  let stalls = 0;
  for (let scroll = 0; scroll < clamp(maxScrolls, 0, 50) && users.size < most && stalls < STALLED; scroll++) {
    await scrollDown(ctx);
    stalls = (await addNewUsers(ctx, users, settleMs)) > 0 ? 0 : stalls + 1;
  }
  return { ...answer, users: [...users.values()].slice(0, most), complete: stalls >= STALLED && users.size <= most };
}

// One search tab serves all searches: a reused one still shows the last query.
async function openSearch(ctx, url) {
  const tab = await ctx.browser.openOrReuseTab(url, { match: "origin+path", wait: true });
  if (tab.reused) await ctx.page.goto(url);
  await ctx.page.waitForLoadState("domcontentloaded");
  await ctx.page.waitForSelector(ANSWERED, { timeout: 10000 });
}

async function scrollDown(ctx) {
  const { w, h } = await ctx.page.info();
  await ctx.page.mouse.wheel(0, Math.round(h * 0.9), { x: Math.round(w / 2), y: Math.round(h / 2) });
}

// Waits for the first new users, up to settleMs, and returns how many there were.
async function addNewUsers(ctx, users, settleMs) {
  const step = 100;
  for (let waited = 0; ; waited += step) {
    const added = addUsers(users, await readCells(ctx, CELLS));
    if (added > 0 || waited >= settleMs) return added;
    await ctx.page.waitForTimeout(step);
  }
}

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
