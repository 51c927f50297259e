// Warm calls of the built package: the best of some rounds, since other work on the machine only ever
// adds time. Usage: node benches/calls.mjs [WORD…] measures the rows whose names contain one of the words.

import { delays, plan, planRows, simulate, validate } from "step-retry";
import { file } from "./workflow-file.mjs";

const ROUNDS = 9;
const ROUND_MS = 60;

const small = file(2);
const large = file(1000);
const broken = small.replace("on_timeout: true", "on_timeout: [true");
const step = { timeout_seconds: 5, retry: { max_attempts: 6, backoff: "exponential", base_delay_ms: 100 } };
const billion = { retry: { max_attempts: 1e9, backoff: "exponential", base_delay_ms: 100, max_delay_ms: 5000 } };

const calls = {
  "validate 30 lines": () => validate(small),
  "validate 30 lines, one broken, recovering": () => validate(broken, { recover: true }),
  "validate 13,000 lines": () => validate(large),
  plan: () => plan(step),
  "plan of a billion attempts": () => plan(billion),
  "planRows, a page of 100": () => planRows(billion),
  "delays, 10,000": () => delays(billion, 10_000),
  "simulate six failures": () => simulate(step, [{ result: "retryable", ms: 5 }]),
};

function microseconds(call) {
  const until = performance.now() + ROUND_MS;
  let calls = 0;
  for (; calls === 0 || performance.now() < until; calls++) call();
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    for (let done = 0; done < calls; done++) call();
    best = Math.min(best, (performance.now() - start) / calls);
  }
  return best * 1000;
}

const words = process.argv.slice(2);
for (const [name, call] of Object.entries(calls)) {
  if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
  console.log(`${microseconds(call).toFixed(1).padStart(12)} µs  ${name}`);
}
