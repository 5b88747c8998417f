// A session of the official TypeScript client through proxy.js, which writes broken
// lines between its messages: every call of the client is still answered.
//
//   PROXY_LINES=1000 node frames.js EGOD ARGUMENT...
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { Session, env, run } from "./egod.js";

env.PROXY_LINES = process.env.PROXY_LINES;
let session;

async function connect() {
  session = await Session.open({ before: [process.execPath, fileURLToPath(new URL("proxy.js", import.meta.url))] });
}

async function calls() {
  for (let i = 0; i < 20; i++) {
    const result = await session.call("run_tool", { siteId: "client", toolName: "echo", args: { text: String(i) } });
    assert.equal(result.structuredContent.value.text, String(i));
  }
  assert.equal((await session.tools()).length, 14);
}

async function end() {
  assert.deepEqual(session.errors, []);
  await session.client.close();
}

await run(connect, calls, end);
