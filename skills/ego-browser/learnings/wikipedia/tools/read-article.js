import { articleAddress } from "./article-address.js";
import { fitText } from "./fit-text.js";

// Runs in the page: the article as {heading, blocks of text} in order. Cutting to size is done outside.
const readPage = ([root], { leaveOut, blocks }) => {
  if (!root) return [];
  const text = (node) => {
    const copy = node.cloneNode(true);
    for (const noise of copy.querySelectorAll(leaveOut)) noise.remove();
    return copy.textContent.replace(/\s+/g, " ").trim();
  };
  const headings = "h2, h3, h4, h5, h6";
  const headingIn = (node) => (node.matches(headings) ? node : node.matches(".mw-heading") ? node.querySelector(headings) : null);

  const lead = { level: 1, title: null, anchor: null, blocks: [] };
  const sections = [lead];
  const walk = (parent) => {
    for (const node of parent.children) {
      const heading = headingIn(node);
      if (heading) {
        const [, level] = heading.tagName;
        sections.push({ level: Number(level), title: text(heading), anchor: heading.id || null, blocks: [] });
      } else if (node.matches("section")) {
        walk(node); // phones get a section element around each part
      } else if (node.matches(blocks) && !node.matches(leaveOut)) {
        const items = node.matches("ul, ol, dl") ? [...node.children].map((item) => `- ${text(item)}`) : [text(node)];
        sections.at(-1).blocks.push(...items.filter((line) => line.replace("-", "").trim()));
      }
    }
  };
  walk(root);
  return sections;
};

const readFrame = ({ categories, choices }) => {
  const text = (selector) => document.querySelector(selector)?.textContent?.trim() || null;
  const texts = (selector) => [...document.querySelectorAll(selector)].map((node) => node.textContent.trim());
  return {
    title: text("#firstHeading"),
    url: document.querySelector("link[rel=canonical]")?.href ?? location.href,
    missing: document.querySelector(".noarticletext") !== null,
    disambiguation: document.querySelector("#disambigbox, .dmbox-disambig, .disambigbox") !== null,
    redirectedFrom: text(".mw-redirectedfrom a"),
    categories: texts(categories),
    choices: [...document.querySelectorAll(choices)].map(({ title, textContent, href }) => ({ title: title || textContent, url: href })),
  };
};

const CONTENT = "#mw-content-text .mw-parser-output";
const LEAVE_OUT = "sup.reference, .mw-editsection, .hatnote, .ambox, .navbox, .infobox, .toc, .reflist, .mw-empty-elt, style, script, figure, table, .noprint";
const BLOCKS = "p, ul, ol, dl, blockquote, pre";

export async function readArticle(ctx, { title, language = "en", sections: only = [], maxChars = 20000 } = {}) {
  const address = articleAddress(title ?? "", language);
  // One tab per language edition serves all articles.
  const tab = await ctx.browser.openOrReuseTab(address.url, { match: "origin", wait: true });
  if (tab.reused && tab.url !== address.url) await ctx.page.goto(address.url);
  await ctx.page.waitForLoadState("domcontentloaded");

  const { missing, disambiguation, choices, ...frame } = await ctx.page.evaluate(readFrame, {
    categories: "#mw-normal-catlinks li a",
    choices: `${CONTENT} > ul > li > a:first-child`,
  });
  if (!frame.title) throw new Error(`${frame.url} shows no article; Wikipedia may be out of order`);
  const answer = { status: "ok", ...frame, language: address.language, lead: "", sections: [], choices: [], truncated: false };
  if (missing) return { ...answer, status: "missing" };

  const parts = await ctx.page.locator(CONTENT).evaluateAll(readPage, { leaveOut: LEAVE_OUT, blocks: BLOCKS });
  const { lead, sections, truncated } = fitText(parts, { only, maxChars });
  if (disambiguation) return { ...answer, status: "disambiguation", lead, choices };
  return { ...answer, lead, sections, truncated };
}
