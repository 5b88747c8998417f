// Drives egod with vscode-jsonrpc, the library under the language clients of
// Visual Studio Code, in header framing, and fails when an answer is not what a
// client written from docs/protocol.md expects.
//
//   node client.js EGOD ARGUMENT...
//
// The arguments are egod's own and have to name the pack "client" of
// tests/clients_test.go. CLIENT_PAGE is a page that the pack declares.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import rpc from "vscode-jsonrpc/node";

const [egod, ...args] = process.argv.slice(2);
const child = spawn(egod, ["serve", ...args], { stdio: ["pipe", "pipe", "inherit"] });
const exited = new Promise((resolve) => child.on("exit", (code, signal) => resolve(signal ?? code)));

const connection = rpc.createMessageConnection(
  new rpc.StreamMessageReader(child.stdout),
  new rpc.StreamMessageWriter(child.stdin),
);
connection.onError(([error]) => fail(error));
connection.onUnhandledNotification((n) => unexpected.push(n.method));
const unexpected = [];

const logs = [];
const listeners = new Map(); // message -> function
connection.onNotification("log", (line) => {
  logs.push(line);
  listeners.get(line.message)?.();
});
connection.onNotification("skills/changed", () => {});
connection.onNotification("skills/diagnostics", () => {});

connection.listen();

function fail(error) {
  console.error(error);
  child.kill("SIGKILL");
  process.exit(1);
}

// The error of a request that has to fail.
async function failure(promise) {
  try {
    assert.fail(`answered with ${JSON.stringify(await promise)}`);
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    return error;
  }
}

async function lifecycle() {
  const hello = await connection.sendRequest("initialize", {
    processId: process.pid, clientInfo: { name: "vscode-jsonrpc", version: "10.0.0" },
    capabilities: { log: true },
  });
  assert.equal(hello.protocolVersion, "1");
  assert.equal(hello.serverInfo.name, "egod");
  assert.equal(hello.pid, child.pid);
  assert.ok(hello.capabilities.methods.includes("runBrowserTool"));
  await connection.sendNotification("initialized", {});
  assert.deepEqual(await connection.sendRequest("ping"), {});
}

async function fourMethods() {
  const { skills } = await connection.sendRequest("skillsForUrl", { url: "https://client.test/a" });
  assert.deepEqual(skills.map((s) => s.id), ["client"]);
  // An array is one positional parameter to the library, as the protocol has it.
  const positional = await connection.sendRequest("skillsForUrl", rpc.ParameterStructures.byPosition, "https://client.test/a");
  assert.deepEqual(positional.skills, skills);

  const learned = await connection.sendRequest("learnContext", { url: "https://client.test/" });
  assert.equal(learned.siteId, "client");
  assert.match(learned.knowledge[0].content, /京都 ünïcode 😀/);

  const run = await connection.sendRequest("runTool", { siteId: "client", toolName: "echo", args: { text: "京都 ünïcode 😀" } });
  assert.deepEqual(run.value, { text: "京都 ünïcode 😀" });
  assert.equal(run.logs[0].message, "echo runs");
  assert.deepEqual(logs.map((l) => l.message), ["echo runs"]);

  await connection.sendRequest("page.goto", { url: process.env.CLIENT_PAGE });
  const title = await connection.sendRequest("runBrowserTool", { siteId: "client", toolName: "title" });
  assert.equal(title.value, "a page of the tests");
}

async function errors() {
  const unknown = await failure(connection.sendRequest("skilsForUrl", { url: "x" }));
  assert.equal(unknown.code, rpc.ErrorCodes.MethodNotFound);
  assert.match(unknown.data.hint, /skillsForUrl/);
  const param = await failure(connection.sendRequest("skillsForUrl", { ulr: "x" }));
  assert.equal(param.code, rpc.ErrorCodes.InvalidParams);
  const thrown = await failure(connection.sendRequest("runTool", { siteId: "client", toolName: "fail" }));
  assert.equal(thrown.code, -32020);
  assert.deepEqual([thrown.data.error.file, thrown.data.error.line], ["tools/fail.js", 2]);
}

// The library sends $/cancelRequest when the token is cancelled.
async function cancel() {
  for (const toolName of ["spin", "wait"]) {
    const source = new rpc.CancellationTokenSource();
    const started = nextLog(toolName + " runs");
    const open = failure(connection.sendRequest("runTool", { siteId: "client", toolName }, source.token));
    await started;
    const began = performance.now();
    source.cancel();
    const error = await open;
    assert.equal(error.code, -32800);
    assert.ok(performance.now() - began < 5000, "the answer to a cancelled request took seconds");
  }
}

function nextLog(message) {
  return new Promise((resolve) => listeners.set(message, resolve));
}

// The library's own progress: $/progress by token, string or number.
async function progress() {
  const type = new rpc.ProgressType();
  for (const token of ["a token", 7]) {
    const kinds = [];
    const listener = connection.onProgress(type, token, (value) => kinds.push(value.kind));
    await connection.sendRequest("runTool", { siteId: "client", toolName: "echo", _meta: { progressToken: token } });
    listener.dispose();
    assert.deepEqual(kinds, ["begin", "end"], `progress of token ${JSON.stringify(token)}`);
  }
}

async function manyAtOnce() {
  const runs = Array.from({ length: 200 }, (_, i) =>
    connection.sendRequest("runTool", { siteId: "client", toolName: "echo", args: { text: String(i) } }));
  (await Promise.all(runs)).forEach((run, i) => assert.equal(run.value.text, String(i)));
  const text = "x".repeat(5 << 20);
  const big = await connection.sendRequest("runTool", { siteId: "client", toolName: "echo", args: { text } });
  assert.equal(big.value.text.length, text.length);
}

async function end() {
  assert.equal(await connection.sendRequest("shutdown"), null);
  const late = await failure(connection.sendRequest("ping"));
  assert.equal(late.code, rpc.ErrorCodes.InvalidRequest);
  await connection.sendNotification("exit");
  assert.equal(await exited, 0, "exit code");
  assert.deepEqual(unexpected, []);
}

try {
  for (const step of [lifecycle, fourMethods, errors, cancel, progress, manyAtOnce, end]) {
    await step();
    console.log("ok", step.name);
  }
  connection.dispose();
} catch (error) {
  fail(error);
}
