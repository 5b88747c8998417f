// Cutting an article to a size, without touching the browser.

/**
 * Turns the parts of a page (the first one is the lead) into text of at most maxChars characters in total.
 * Sections that did not fit stay in the list with what fitted, so that their titles can be asked for.
 */
export function fitText([lead = { blocks: [] }, ...sections], { only = [], maxChars = Infinity } = {}) {
  const wanted = new Set(only.map((title) => title.toLowerCase()));
  let left = Math.max(maxChars, 0);

  const take = ({ blocks }) => {
    const whole = blocks.join("\n\n").replaceAll("\n\n- ", "\n- ");
    const text = cut(whole, left);
    const truncated = text.length < whole.length;
    left = truncated ? 0 : left - text.length;
    return { text, truncated };
  };

  const { text, truncated } = take(lead);
  const kept = chosen(sections, wanted).map(({ level, title, anchor, blocks }) => ({ level, title, anchor, ...take({ blocks }) }));
  return { lead: text, sections: kept, truncated: truncated || kept.some((section) => section.truncated) };
}

// A chosen section brings the sections below it.
function chosen(sections, wanted) {
  if (wanted.size === 0) return sections;
  let depth = Infinity;
  return sections.filter(({ level, title }) => {
    if (level <= depth) depth = wanted.has(title?.toLowerCase()) ? level : Infinity;
    return level >= depth;
  });
}

// Cuts between words, so that no half word or half character is left at the end.
function cut(text, most) {
  if (text.length <= most) return text;
  const end = text.lastIndexOf(" ", most);
  return end > 0 ? text.slice(0, end) : "";
}
