// The next generation of the official TypeScript client, in both of its ways to
// begin: with initialize, and by asking first what the server speaks.
//
//   node modern.js EGOD ARGUMENT...
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { args, command, env, run, text } from "./egod.js";

async function session(versionNegotiation) {
  const client = new Client({ name: "egod-tests", version: "2" }, { versionNegotiation });
  await client.connect(new StdioClientTransport({ command, args: ["mcp", ...args], env, stderr: "inherit" }));
  console.log("speaks", client.getNegotiatedProtocolVersion?.());
  const { tools } = await client.listTools();
  assert.equal(tools.length, 14);
  const run = await client.callTool({ name: "run_tool", arguments: { siteId: "client", toolName: "echo", args: { text: "京都 😀" } } });
  assert.deepEqual(run.structuredContent.value, { text: "京都 😀" });
  const failed = await client.callTool({ name: "run_tool", arguments: { siteId: "client", toolName: "fail" } });
  assert.ok(failed.isError);
  assert.match(text(failed), /tools\/fail\.js:2/);
  await client.close();
}

const legacy = () => session({ mode: "legacy" });
const auto = () => session({ mode: "auto" });

await run(legacy, auto);
