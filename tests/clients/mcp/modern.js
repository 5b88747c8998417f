// The next generation of the official TypeScript client, in both of its ways to
// begin: with initialize, and by asking first what the server speaks, which leads to
// the revision 2026-07-28.
//
//   CLIENT_ROOT=DIRECTORY node modern.js EGOD ARGUMENT...
//
// The arguments are egod's own; CLIENT_ROOT is the root they name, with the pack
// "client" of tests/clients_test.go.
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { args, command, env, run, text } from "./egod.js";

const uri = "skill://client/notes/about.md";
const note = join(process.env.CLIENT_ROOT, "client", "notes", "about.md");
const errors = [];

async function open(mode, more) {
  const client = new Client({ name: "egod-tests", version: "2" }, { versionNegotiation: { mode } });
  client.onerror = (error) => errors.push(error);
  await client.connect(new StdioClientTransport({ command, args: ["mcp", ...args, ...more], env, stderr: "inherit" }));
  return client;
}

async function tools(client) {
  const listed = await client.listTools();
  assert.ok(listed.tools.some(({ name }) => name === "client__echo"));
  const call = (toolName, more) => client.callTool({ name: "run_tool", arguments: { siteId: "client", toolName, ...more } });
  const echo = await call("echo", { args: { text: "京都 😀" } });
  assert.deepEqual(echo.structuredContent.value, { text: "京都 😀" });
  const failed = await call("fail");
  assert.ok(failed.isError);
  assert.match(text(failed), /tools\/fail\.js:2/);
  assert.ok((await client.callTool({ name: "skills_for_url", arguments: { url: "https://client.test/" } })).structuredContent.skills.length === 1);
}

// One run at a time is allowed: the call after the cancelled one shows that it ended.
async function cancel(client) {
  const abort = new AbortController();
  const open = client.callTool({ name: "client__spin", arguments: {} }, { signal: abort.signal });
  abort.abort(new Error("enough"));
  await assert.rejects(open, /enough/);
  await client.callTool({ name: "client__echo", arguments: { text: "a" } });
}

async function context(client) {
  assert.deepEqual((await client.listResources()).resources.map((r) => r.uri), [uri]);
  assert.match((await client.readResource({ uri })).contents[0].text, /# Client/);
  assert.ok((await client.listResourceTemplates()).resourceTemplates.length > 0);
  assert.ok((await client.listPrompts()).prompts.length > 0);
  const prompt = await client.getPrompt({ name: "work_on_url", arguments: { url: "https://client.test/" } });
  assert.ok(prompt.messages.length > 1);
  const { completion } = await client.complete({ ref: { type: "ref/prompt", name: "use_tool" }, argument: { name: "site", value: "cl" } });
  assert.deepEqual(completion.values, ["client"]);
}

async function legacy() {
  const client = await open("legacy", ["--toolset", "all"]);
  assert.equal(client.getProtocolEra(), "legacy");
  await tools(client);
  await context(client);
  await client.close();
}

async function modern() {
  const client = await open("auto", ["--toolset", "all"]);
  assert.equal(client.getNegotiatedProtocolVersion(), "2026-07-28");
  await tools(client);
  await cancel(client);
  await context(client);

  const updated = new Promise((resolve) => client.setNotificationHandler("notifications/resources/updated", ({ params }) => resolve(params.uri)));
  const changed = new Promise((resolve) => client.setNotificationHandler("notifications/tools/list_changed", resolve));
  const listening = await client.listen({ toolsListChanged: true, resourceSubscriptions: [uri] });
  assert.deepEqual(listening.honoredFilter, { toolsListChanged: true, resourceSubscriptions: [uri] });
  await writeFile(note, "# Client\n\nsaved again\n");
  assert.equal(await updated, uri);
  const path = join(process.env.CLIENT_ROOT, "client", "manifest.json");
  const manifest = JSON.parse(await readFile(path, "utf8"));
  manifest.nodeTools.parrot = manifest.nodeTools.echo;
  await writeFile(path, JSON.stringify(manifest));
  await changed;
  assert.ok((await client.listTools()).tools.some(({ name }) => name === "client__parrot"));
  await listening.close();
  await client.close();
}

async function end() {
  assert.deepEqual(errors, []);
}

await run(legacy, modern, end);
