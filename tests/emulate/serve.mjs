// Serves Slack's Web API on loopback, as `emulate` understands it, for the tests.
//
// Every line of standard input is a seed in JSON: a fresh workspace replaces the last one, and
// its address is written as one line. The end of the input ends the process, so that nothing
// is left behind when the tests are killed. The library is used and not its command line,
// which needs a newer Node.js than Debian 12 has, and offers what the tests have no use for.

import { createInterface } from "node:readline";
import { createEmulator } from "emulate";

const hostname = "127.0.0.1";
let workspace;

for await (const line of createInterface({ input: process.stdin })) {
  await workspace?.close();
  workspace = await createEmulator({
    service: "slack",
    hostname,
    port: 0,
    seed: { slack: JSON.parse(line) },
  });
  process.stdout.write(`http://${hostname}:${new URL(workspace.url).port}\n`);
}
await workspace?.close();
