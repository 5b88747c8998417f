// Drives egod mcp --toolset packs with the official TypeScript client: each tool of
// a pack is a tool of its own, in pages, and the list follows the files.
//
//   CLIENT_ROOT=DIRECTORY node packs.js EGOD ARGUMENT...
//
// The arguments are egod's own; CLIENT_ROOT is the root they name, with the pack
// "client" of tests/clients_test.go and many more.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { Session, portable, run } from "./egod.js";

const manifest = join(process.env.CLIENT_ROOT, "client", "manifest.json");
let session;
let changed = () => {};

const names = async () => (await session.tools()).map(({ name }) => name);

// Waits until the list of tools has changed to what a condition asks for. A save
// may be seen in two steps, each with a notification.
async function changes(holds) {
  for (;;) {
    const next = new Promise((resolve) => (changed = resolve));
    const tools = await names();
    if (holds(tools)) return tools;
    await next;
  }
}

async function list() {
  session = await Session.open({
    more: ["--toolset", "packs"],
    prepare: (client) => client.setNotificationHandler(ToolListChangedNotificationSchema, () => changed()),
  });
  const first = await session.client.listTools();
  assert.ok(first.nextCursor, "one page holds everything");
  const tools = await session.tools();
  assert.equal(new Set(tools.map(({ name }) => name)).size, tools.length);
  assert.ok(tools.length >= Number(process.env.CLIENT_TOOLS), `${tools.length} tools`);
  for (const tool of tools) {
    assert.match(tool.name, /^[a-zA-Z0-9_-]{1,64}$/);
    assert.equal(tool.inputSchema.type, "object");
    portable(tool);
  }
  await assert.rejects(session.client.listTools({ cursor: "nonsense" }), (error) => error.code === -32602);
}

async function call() {
  const echo = await session.call("client__echo", { text: "京都 😀" });
  assert.deepEqual(echo.structuredContent.value, { text: "京都 😀" });
  const renamed = await session.call("client__echo", { zwei_W_rter: "a" });
  assert.deepEqual(renamed.structuredContent.value, { "zwei Wörter": "a" });
  assert.match(await session.fails("client__fail"), /tools\/fail\.js:2/);
  assert.match(await session.fails("client__echo", { txt: "a" }), /text/);
}

async function reload() {
  const before = await readFile(manifest, "utf8");
  const edited = JSON.parse(before);
  edited.nodeTools.parrot = { ...edited.nodeTools.echo, description: "Say it again." };
  delete edited.nodeTools.fail;
  await writeFile(manifest, JSON.stringify(edited));
  const tools = await changes((list) => list.includes("client__parrot"));
  assert.ok(!tools.includes("client__fail"));
  const said = await session.call("client__parrot", { text: "again" });
  assert.deepEqual(said.structuredContent.value, { text: "again" });
  await writeFile(manifest, before);
  await changes((list) => list.includes("client__fail") && !list.includes("client__parrot"));
}

async function end() {
  assert.deepEqual(session.errors, []);
  await session.client.close();
}

await run(list, call, reload, end);
