// Stands between a client and egod, as a broken host would: after each message of
// the client it writes lines that are none, PROXY_LINES in all.
//
//   PROXY_LINES=1000 node proxy.js EGOD ARGUMENT...
//
// What egod answers to those lines belongs to no request of the client's, which
// does not get it; it is counted.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const broken = [
  "{", "}", "nonsense", '{"jsonrpc":"2.0","id":', '"text"', "7", "null", "[]", "[1]", "\u0000\u0001", "\ufffd",
  '{"jsonrpc":"1.0","id":"b","method":"ping"}', '{"jsonrpc":"2.0","id":null,"method":"ping","params":{"_meta":{}}}',
  '{"jsonrpc":"2.0","id":{},"method":"ping"}', '{"jsonrpc":"2.0","id":"b","method":7}', '{"jsonrpc":"2.0","id":"b","method":""}',
  '{"jsonrpc":"2.0","id":"b","method":"tools/call","params":"x"}', '{"jsonrpc":"2.0","id":"b"}',
  "[".repeat(20000), "x".repeat(200000), "Content-Length: 5",
];
// Those that nobody waits for an answer to.
const silent = [
  "", '{"jsonrpc":"2.0","id":"b","result":{},"error":{"code":1,"message":"both"}}',
  '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"run_tool"}}', '{"jsonrpc":"2.0","method":"notifications/none"}',
  '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}',
];
const lines = [...broken, ...silent];

const [egod, ...args] = process.argv.slice(2);
const wanted = Number(process.env.PROXY_LINES);
const child = spawn(egod, args, { stdio: ["pipe", "pipe", "inherit"] });
let written = 0;
let owed = 0;
let answered = 0;

createInterface({ input: process.stdin })
  .on("line", (line) => {
    child.stdin.write(line + "\n");
    for (let i = 0; i < wanted / 10 && written < wanted; i++) {
      const text = lines[written++ % lines.length];
      if (broken.includes(text)) owed++;
      child.stdin.write(text + "\n");
    }
  })
  .on("close", () => child.stdin.end());

createInterface({ input: child.stdout }).on("line", (line) => {
  const { id } = JSON.parse(line);
  if (id === null || id === "b") answered++;
  else process.stdout.write(line + "\n");
});
child.on("close", (code) => {
  console.error(`proxy: ${written} broken lines, ${answered} of ${owed} answered, exit code ${code}`);
  process.exitCode = code;
});
