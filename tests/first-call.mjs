// Holds the first call of the built package against its budget: `validate` of ten lines, the median
// of twenty fresh processes, beside a module that only returns 1. Prints both, and fails above.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const PROCESSES = 20;
/** Other work on the machine only ever adds time: the best of some rounds is nearest the truth. */
const ROUNDS = 3;

const here = fileURLToPath(new URL(".", import.meta.url));
const { limit, goal } = JSON.parse(readFileSync(new URL("../pkg/budget.json", import.meta.url), "utf8")).firstCallMs;

const tenLines = [
  "id: nightly",
  "name: Nightly",
  "version: 1",
  "steps:",
  "  fetch:",
  "    description: Fetch the list.",
  "    execution: auto",
  "    handler: fetch_list",
  "    timeout_seconds: 5",
  "    retry: { max_attempts: 3, base_delay_ms: 200 }",
].join("\n");

const ours = `import { validate } from "step-retry";
const source = ${JSON.stringify(tenLines)};
const start = performance.now();
const { valid } = validate(source);
console.log(valid ? performance.now() - start : "the file was refused");`;

// (module (func (export "f") (result i32) i32.const 1))
const least = `const bytes = Uint8Array.from(Buffer.from("0061736d010000000105016000017f0302010007050101660000" + "0a06010400" + "41010b", "hex"));
const start = performance.now();
const one = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports.f();
console.log(one === 1 ? performance.now() - start : "not 1");`;

function once(program) {
  const printed = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: here,
    encoding: "utf8",
  });
  const ms = Number(printed);
  if (!Number.isFinite(ms)) throw new Error(printed);
  return ms;
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

function round() {
  const pairs = Array.from({ length: PROCESSES }, () => [once(ours), once(least)]);
  return { ours: median(pairs.map(([ms]) => ms)), least: median(pairs.map(([, ms]) => ms)) };
}

let best = round();
for (let rounds = 1; rounds < ROUNDS && best.ours > goal; rounds++) {
  const next = round();
  if (next.ours < best.ours) best = next;
}
console.log(
  `       ${best.ours.toFixed(1).padStart(7)} ms  first call, of at most ${limit} ms; the goal is ${goal} ms`,
);
console.log(`       ${best.least.toFixed(1).padStart(7)} ms  of a module that only returns 1`);
if (best.ours > limit) process.exitCode = 1;
