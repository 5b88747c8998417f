// Reads the fact box of the open article.
({ includeLinks = true } = {}) => {
  const box = document.querySelector("table.infobox");
  const text = (node) => {
    if (!node) return null;
    const copy = node.cloneNode(true);
    for (const noise of copy.querySelectorAll("sup.reference, style, script, .noprint, .mw-editsection")) noise.remove();
    for (const line of copy.querySelectorAll("br, li + li")) line.before("; ");
    return copy.textContent.replace(/\s+/g, " ").replace(/\s*;\s*/g, "; ").trim();
  };

  if (!box) return { found: false, title: null, caption: null, imageUrl: null, facts: [] };

  let group = null;
  const facts = [];
  for (const row of box.querySelectorAll(":scope > tbody > tr")) {
    const header = row.querySelector(":scope > th");
    const value = row.querySelector(":scope > td");
    if (header && !value) group = header.matches(".infobox-above") ? group : text(header);
    if (!header || !value) continue;
    const links = [...value.querySelectorAll("a[href]:not(sup.reference a)")].map((link) => ({ text: text(link), url: link.href }));
    facts.push({ group, label: text(header), value: text(value), links: includeLinks ? links.filter((link) => link.text) : [] });
  }

  return {
    found: true,
    title: text(box.querySelector(".infobox-above, caption")) ?? text(document.querySelector("#firstHeading")),
    caption: text(box.querySelector(".infobox-caption")),
    imageUrl: box.querySelector(".infobox-image img, .image img, img")?.src ?? null,
    facts,
  };
};
