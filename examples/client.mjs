#!/usr/bin/env node
// A plain client of egod: node examples/client.mjs bin/egod https://x.com
//
// Starts egod as a child, one JSON text per line each way, and prints what is known
// about an address. Only Node's own modules are used.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

class Egod {
  #child;
  #pending = new Map();
  #lastId = 0;

  constructor(binary, ...args) {
    this.#child = spawn(binary, args, { stdio: ["pipe", "pipe", "inherit"] });
    this.exited = once(this.#child, "exit");
    createInterface({ input: this.#child.stdout })
      .on("line", (line) => this.#answer(JSON.parse(line)))
      .on("close", () => this.#pending.forEach(({ reject }) => reject(new Error("egod closed its output"))));
  }

  #answer({ id, result, error }) {
    const request = this.#pending.get(id);
    if (!request) return; // a notification
    this.#pending.delete(id);
    if (error) request.reject(new Error(`${request.method}: ${error.message} (${error.data.kind})`));
    else request.resolve(result);
  }

  notify(method, more) {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method, ...more })}\n`);
  }

  call(method, params = {}) {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { method, resolve, reject });
      this.notify(method, { id, params });
    });
  }
}

const [binary = "bin/egod", url = "https://x.com"] = process.argv.slice(2);
const egod = new Egod(binary, "serve");
const { serverInfo } = await egod.call("initialize", { protocolVersion: "1", clientInfo: { name: "client.mjs", version: "1" } });
console.log(`${serverInfo.name} ${serverInfo.version}`);
const { knowledge, tools } = await egod.call("learnContext", { url });
for (const { siteId, fileName, content } of knowledge) console.log(`note ${siteId}/${fileName}: ${content.length} characters`);
for (const { siteId, toolName, toolType, description } of tools) console.log(`${toolType} tool ${siteId}/${toolName}: ${description}`);
await egod.call("shutdown");
egod.notify("exit");
[process.exitCode] = await egod.exited;
