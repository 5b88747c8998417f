export function total(_ctx, { prices }) {
  const cents = prices.reduce((sum, price) => sum + Math.round(price * 100), 0);
  console.log(`${prices.length} pieces, ${cents} cents before rounding`);
  return { pieces: prices.length, euros: (Math.round(cents / 5) * 5) / 100 };
}
