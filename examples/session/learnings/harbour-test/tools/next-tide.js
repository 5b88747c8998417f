import { minutes } from "./clock.js";

export async function nextTide(ctx, { after, water = "high" }) {
  await ctx.browser.openOrReuseTab("https://harbour.test/board", { wait: true });
  await ctx.page.waitForLoadState("domcontentloaded");
  const tides = await ctx.page.locator("#tides tbody tr").evaluateAll(
    (rows, wanted) =>
      rows
        .filter((row) => row.dataset.tide === wanted)
        .map((row) => [...row.cells].map((cell) => cell.textContent.trim()))
        .map(([time, , metres]) => ({ time, metres: Number(metres) })),
    water,
  );
  console.log(`${tides.length} ${water} waters on the board`);
  const next = tides.find(({ time }) => minutes(time) > minutes(after));
  return { time: next?.time ?? null, water, metres: next?.metres ?? null };
}
