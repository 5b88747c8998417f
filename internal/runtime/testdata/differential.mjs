// Writes what Node answers to the expressions of differential.txt beside it:
//   node differential.mjs > /tmp/x && mv /tmp/x differential.txt
// Lines are pairs: the expression, then "=> " and the answer. Tests need no Node.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
globalThis.require = createRequire(import.meta.url);
const show = (v) =>
  typeof v === "string" ? v : String(JSON.stringify(v, (key, x) => (typeof x === "bigint" ? `${x}n` : x === undefined ? "undefined" : typeof x === "number" && (!Number.isFinite(x) || Object.is(x, -0)) ? (Object.is(x, -0) ? "-0" : String(x)) : x)));
for (const line of readFileSync(new URL("differential.txt", import.meta.url), "utf8").split("\n")) {
  if (line.startsWith("=> ")) continue;
  console.log(line);
  if (line === "" || line.startsWith("#")) continue;
  let answer;
  try {
    answer = show(await (0, eval)(`(async () => (${line}))()`));
  } catch (error) {
    answer = "throws " + error.name;
  }
  console.log("=> " + JSON.stringify(answer));
}
process.stdout.write("");
