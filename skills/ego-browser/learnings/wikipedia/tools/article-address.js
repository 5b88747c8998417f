// Addresses of articles, from what people write: a title, a title with underscores, or an address.

const EDITION = /^[a-z]{2,3}(-[a-z]+)*$|^simple$/;

/** {language, title, url} of an article; throws an Error that says what is wrong with the input. */
export function articleAddress(input, language = "en") {
  const fromUrl = parseAddress(input);
  const edition = fromUrl?.language ?? language.toLowerCase();
  const title = normalTitle(fromUrl?.title ?? input);
  if (!EDITION.test(edition)) throw new Error(`language ${JSON.stringify(language)} is no Wikipedia edition; write en, de, simple, ...`);
  if (!title) throw new Error("title must not be empty");
  const url = new URL(`https://${edition}.wikipedia.org/`);
  url.pathname = `/wiki/${encodeURIComponent(title.replaceAll(" ", "_")).replace(/%(2F|3A|2C)/g, decodeURIComponent)}`;
  return { language: edition, title, url: url.href };
}

/** The page that an address names, or null for text that is no address. */
function parseAddress(input) {
  if (!/^https?:\/\//i.test(input)) return null;
  const { hostname, pathname, searchParams } = new URL(input);
  const [, language] = /^([a-z-]+)\.(?:m\.)?wikipedia\.org$/.exec(hostname) ?? [];
  if (!language) throw new Error(`${hostname} is no Wikipedia host`);
  const [, path] = /^\/wiki\/(.+)$/.exec(pathname) ?? [];
  return { language, title: path ? decodeURIComponent(path) : searchParams.get("title") ?? "" };
}

const normalTitle = (title) => title.split("#")[0].replace(/[\s_]+/g, " ").trim();
