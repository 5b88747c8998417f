// Drives egod mcp with the official TypeScript client in one session, with a
// browser: every tool of the core set, failures, cancellation, progress, the log,
// the end.
//
//   CLIENT_PAGE=http://client.test/ node session.js EGOD ARGUMENT...
//
// The arguments are egod's own and have to name the pack "client" of
// tests/clients_test.go, and allow one run at a time.
import assert from "node:assert/strict";
import { Session, portable, run, text } from "./egod.js";

const url = process.env.CLIENT_PAGE;
const core = [
  "skills_for_url", "learn_context", "run_tool", "run_browser_tool", "open_page", "snapshot", "click", "fill",
  "press", "screenshot", "evaluate", "wait_for", "tabs", "script",
];
let session;

async function handshake() {
  session = await Session.open();
  assert.equal(session.client.getServerVersion().name, "egod");
  const { tools, logging } = session.client.getServerCapabilities();
  assert.ok(tools.listChanged);
  assert.ok(logging);
  assert.match(session.client.getInstructions(), /learn_context/);
  await session.client.ping();
}

async function list() {
  const tools = await session.tools();
  assert.deepEqual(tools.map(({ name }) => name).sort(), [...core].sort());
  for (const tool of tools) {
    assert.ok(tool.title && tool.description, tool.name);
    assert.equal(tool.inputSchema.type, "object", tool.name);
    assert.equal(tool.outputSchema?.type, "object", tool.name);
    assert.equal(typeof tool.annotations.readOnlyHint, "boolean", tool.name);
    portable(tool);
  }
}

// Each of them once, in the order in which an agent would.
async function everyTool() {
  const called = new Set();
  const call = async (name, input) => {
    called.add(name);
    const result = await session.call(name, input);
    assert.ok(result.structuredContent, name);
    assert.ok(result.content.length > 0, name);
    return result;
  };
  const value = async (name, input) => (await call(name, input)).structuredContent.value;

  const found = await call("skills_for_url", { url });
  assert.deepEqual(found.structuredContent.skills.map(({ id }) => id), ["client"]);
  const learned = await call("learn_context", { url });
  assert.match(learned.structuredContent.knowledge[0].content, /京都 ünïcode 😀/);
  assert.match(text(learned), /京都 ünïcode 😀/);
  assert.deepEqual(await value("run_tool", { siteId: "client", toolName: "echo", args: { text: "京都 😀" } }), { text: "京都 😀" });

  await call("open_page", { url });
  assert.equal(await value("run_browser_tool", { siteId: "client", toolName: "title" }), "a page of the tests");
  assert.match(text(await call("snapshot")), /button "Greet"/);
  await call("fill", { selector: "#name", value: "Ada" });
  await call("click", { selector: "#greet" });
  await call("wait_for", { selector: "#greeting" });
  assert.equal(await value("evaluate", { pageFunction: "document.querySelector('#greeting').textContent" }), "Hello Ada");
  await call("press", { selector: "#name", key: "Backspace" });
  assert.equal(await value("evaluate", { pageFunction: "document.querySelector('#name').value" }), "Ad");

  const shot = (await call("screenshot")).content.find(({ type }) => type === "image");
  assert.equal(shot.mimeType, "image/png");
  assert.deepEqual([...Buffer.from(shot.data, "base64").subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  const { tabs } = (await call("tabs")).structuredContent;
  assert.deepEqual(tabs.map((tab) => tab.url), [url]);
  assert.equal(await value("script", { source: "console.log('from the script'); return 1 + 1" }), 2);
  assert.deepEqual([...called].sort(), [...core].sort());
}

// What a model is told has to be enough for the next step.
async function failures() {
  assert.match(await session.fails("run_tool", { siteId: "client", toolName: "fail" }), /on purpose[\s\S]*tools\/fail\.js:2/);
  assert.match(await session.fails("run_tool", { siteId: "clint", toolName: "echo" }), /client/);
  assert.match(await session.fails("run_tool", { siteId: "client", toolName: "ecko" }), /echo/);
  assert.match(await session.fails("run_tool", { siteId: "client", toolName: "echo", args: { txt: "a" } }), /text/);
  assert.match(await session.fails("click", { selector: "#nowhere", timeout: 50 }), /#nowhere/);
  await assert.rejects(session.client.callTool({ name: "run_tol", arguments: {} }), ({ code, data }) => code === -32602 && /run_tool/.test(data.hint));
}

async function log() {
  await session.client.setLoggingLevel("debug");
  const written = session.logged("echo runs");
  await session.call("run_tool", { siteId: "client", toolName: "echo" });
  assert.match((await written).level, /^(debug|info)$/);
}

// The client sends notifications/cancelled. Only one run is allowed at a time, so
// the call that follows shows that the run has stopped.
async function cancel() {
  for (const toolName of ["spin", "wait"]) {
    const abort = new AbortController();
    const started = session.logged(toolName + " runs");
    const open = session.client.callTool({ name: "run_tool", arguments: { siteId: "client", toolName } }, undefined, { signal: abort.signal });
    await started;
    abort.abort("enough");
    await assert.rejects(open, /enough/);
    await session.call("run_tool", { siteId: "client", toolName: "echo" });
  }
}

// A call that takes longer than the client's timeout, which progress puts off. It has
// an egod of its own, so that everything else goes on meanwhile.
async function longCall() {
  const session = await Session.open();
  const seen = [];
  const late = await session.call("run_tool", { siteId: "client", toolName: "slow", args: { text: "8500" } }, {
    timeout: 7500, resetTimeoutOnProgress: true, onprogress: (p) => seen.push(p.progress),
  });
  assert.equal(late.structuredContent.value, "late");
  assert.ok(seen.length >= 1 && seen.every((n, i) => i === 0 || n > seen[i - 1]), `progress ${seen}`);
  assert.deepEqual(session.errors, []);
  await session.client.close();
}

async function progress() {
  await slow;
}

async function manyAtOnce() {
  const runs = Array.from({ length: 100 }, (_, i) => session.call("run_tool", { siteId: "client", toolName: "echo", args: { text: String(i) } }));
  (await Promise.all(runs)).forEach((run, i) => assert.equal(run.structuredContent.value.text, String(i)));
  // What is far too long for a model is cut, and said to be.
  const big = await session.call("run_tool", { siteId: "client", toolName: "echo", args: { text: "x".repeat(2 << 20) } });
  assert.equal(big.structuredContent.truncated, true);
  assert.ok(big.structuredContent.valueChars > 2 << 20);
  assert.ok(text(big).length < 40_000);
}

async function end() {
  assert.deepEqual(session.errors, []);
  await session.client.close();
}

const slow = longCall();
slow.catch(() => {}); // progress tells
await run(handshake, list, everyTool, failures, log, cancel, manyAtOnce, end, progress);
