// What the programs beside this one share: egod as the command line names it, with
// the official client over stdio.
//
//   node session.js EGOD ARGUMENT...
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js";

export const [command, ...args] = process.argv.slice(2);

// What egod needs of the environment in a test. Hosts pass on little more than PATH.
export const env = Object.fromEntries(
  ["TMPDIR", "EGOD_CHROME"].filter((name) => process.env[name]).map((name) => [name, process.env[name]]),
);
env.EGOD_LOG_LEVEL = "warn";

// Session is a client that is connected to an egod of its own.
export class Session {
  logs = []; // params of notifications/message
  errors = []; // what the client could not make sense of
  #waiting = [];

  static async open({ before = [], more = [], capabilities = {}, prepare } = {}) {
    const session = new Session();
    const [program, ...rest] = [...before, command, "mcp", ...args, ...more];
    session.transport = new StdioClientTransport({ command: program, args: rest, env, stderr: "inherit" });
    session.client = new Client({ name: "egod-tests", version: "1" }, { capabilities });
    session.client.onerror = (error) => session.errors.push(error);
    session.client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => session.#logged(params));
    prepare?.(session.client);
    session.closed = new Promise((resolve) => (session.client.onclose = resolve));
    await session.client.connect(session.transport);
    return session;
  }

  #logged(params) {
    this.logs.push(params);
    this.#waiting = this.#waiting.filter(({ text, resolve }) => !(JSON.stringify(params).includes(text) && (resolve(params), true)));
  }

  // The next message of the log that contains a text.
  logged(text) {
    return new Promise((resolve) => this.#waiting.push({ text, resolve }));
  }

  // Every tool, from as many pages as there are.
  async tools() {
    const tools = [];
    let cursor;
    do {
      const page = await this.client.listTools({ cursor });
      tools.push(...page.tools);
      cursor = page.nextCursor;
    } while (cursor);
    return tools;
  }

  // Calls a tool that has to succeed. The client itself checks structuredContent
  // against the schema that the list of tools declares.
  async call(name, input = {}, options) {
    const result = await this.client.callTool({ name, arguments: input }, undefined, options);
    assert.ok(!result.isError, `${name} failed: ${text(result)}`);
    return result;
  }

  // Calls a tool that has to fail, and returns what the model is told.
  async fails(name, input = {}) {
    const result = await this.client.callTool({ name, arguments: input });
    assert.ok(result.isError, `${name} succeeded: ${JSON.stringify(result)}`);
    return text(result);
  }
}

export const text = (result) => result.content.filter(({ type }) => type === "text").map((part) => part.text).join("\n");

// Fails for what hosts refuse in the parameters of a tool: a list whose items are not
// spoken of (microsoft/vscode #248810), true or false for a schema, and names that
// models do not take (anthropics/claude-code #34771).
export function portable({ name, inputSchema }) {
  const walk = (schema, path) => {
    assert.equal(typeof schema, "object", path);
    if (schema.type === "array") walk(schema.items, path + ".items");
    for (const [name, property] of Object.entries(schema.properties ?? {})) walk(property, `${path}.${name}`);
  };
  walk(inputSchema, name);
  for (const key of Object.keys(inputSchema.properties)) assert.match(key, /^[a-zA-Z0-9_.-]{1,64}$/, name);
}

// Runs the steps one after the other, and ends with the first that fails.
export async function run(...steps) {
  try {
    for (const step of steps) {
      const began = performance.now();
      await step();
      console.log(`ok ${step.name} (${Math.round(performance.now() - began)} ms)`);
    }
    process.exit(0);
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
}
