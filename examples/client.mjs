#!/usr/bin/env node
// A client of egod with nothing but Node's own modules: node examples/client.mjs bin/egod
//
// Starts egod as a child and writes and reads one JSON text per line. The page that
// the browser tool looks at is served by this program.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const page = '<!doctype html><title>Bakery</title><ul><li id="rye" data-euros="4.23">Rye<li id="wheat" data-euros="3.19">Wheat</ul>';

class Egod {
  #child;
  #pending = new Map(); // id -> what settles its promise
  #lastId = 0;

  constructor(binary, ...args) {
    this.#child = spawn(binary, args, { stdio: ["pipe", "pipe", "inherit"] });
    this.exited = once(this.#child, "exit");
    createInterface({ input: this.#child.stdout })
      .on("line", (line) => this.#settle(JSON.parse(line)))
      .on("close", () => this.#pending.forEach(({ reject }) => reject(new Error("egod closed its output"))));
  }

  #settle({ id, result, error }) {
    const request = this.#pending.get(id);
    if (!request) return; // a notification
    this.#pending.delete(id);
    if (error) request.reject(new Error(`${error.message} (${error.data.kind})`));
    else request.resolve(result);
  }

  send(method, params, id) {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  }

  call(method, params = {}, signal) {
    const id = ++this.#lastId;
    signal?.addEventListener("abort", () => this.send("$/cancelRequest", { id }));
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.send(method, params, id);
    });
  }
}

const pages = createServer((_request, response) => response.setHeader("Content-Type", "text/html").end(page)).listen(0, "127.0.0.1");
await once(pages, "listening");
const url = `http://localhost:${pages.address().port}/`;
const [binary = "bin/egod"] = process.argv.slice(2);
const egod = new Egod(binary, "serve", "--root", fileURLToPath(new URL("learnings", import.meta.url)));

const { serverInfo } = await egod.call("initialize", { clientInfo: { name: "client.mjs", version: "1" }, processId: process.pid });
console.log(serverInfo.name, serverInfo.version);
const { skills } = await egod.call("skillsForUrl", { url });
console.log("packs:", ...skills.map(({ id }) => id));
const { knowledge } = await egod.call("learnContext", { url });
for (const { content } of knowledge) console.log("note:", content.trim());

const total = await egod.call("runTool", { siteId: "bakery", toolName: "total", args: { prices: [4.23, 3.19] } });
console.log("tool:", total.value);
await egod.call("page.goto", { url });
const prices = await egod.call("runBrowserTool", { siteId: "bakery", toolName: "read-prices" });
console.log("page:", prices.value);

const patience = new AbortController();
const endless = egod.call("runScript", { source: "for (;;) {}" }, patience.signal);
patience.abort();
await endless.catch((error) => console.log("cancelled:", error.message));

await egod.call("shutdown");
egod.send("exit");
[process.exitCode] = await egod.exited;
pages.close();
