// Runs in the page for fetch.browser, with what the page calls fetch. It answers
// with the text, or says what kept it from one; it never rejects.
async ({ url, options, bodyBase64, timeoutMs, maxLength }) => {
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(), timeoutMs);
  try {
    const init = { ...options, signal: ended.signal };
    if (typeof bodyBase64 === "string") init.body = Uint8Array.from(atob(bodyBase64), (c) => c.charCodeAt(0));
    const response = await fetch(url, init);
    const text = await response.text();
    return text.length > maxLength ? { tooLong: true } : { status: response.status, ok: response.ok, text };
  } catch (error) {
    return ended.signal.aborted ? { timedOut: true } : { failed: String(error?.message || error) };
  } finally {
    clearTimeout(timer);
  }
}
