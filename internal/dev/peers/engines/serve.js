// Runs lines as they are asked for: see engine.go for what goes to and fro. An engine
// gives its version, what its lines run, and what is added up of a result to check it.
"use strict";

const readline = require("node:readline");

exports.serve = async (version, lines) => {
  const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");
  say({ version, lines: Object.keys(lines) });
  for await (const request of readline.createInterface({ input: process.stdin })) {
    const { line, check } = JSON.parse(request);
    const { before, run, sum } = lines[line];
    if (before) await before();
    globalThis.gc();
    const used = process.cpuUsage();
    const start = process.hrtime.bigint();
    const result = await run();
    const seconds = Number(process.hrtime.bigint() - start) / 1e9;
    const { user, system } = process.cpuUsage(used);
    const times = { seconds, cpu: (user + system) / 1e6 };
    say(check ? { ...times, ...(await sum(result)) } : times);
  }
};
