// A million plans in one call against a plain loop that walks through the same waits, and a fleet of 100,000
// workers. What is told is CPU time, the best of some rounds in which both sides take turns, so that other work
// on the machine counts for neither. Usage: node benches/plans.mjs [PLANS]

import { plan } from "step-retry";
import { plans, simulateFleet } from "step-retry/fleet";

const COUNT = Number(process.argv[2] ?? 1_000_000);
const ROUNDS = 7;

/** Steps as people write them: 2 to 9 attempts, all shapes, most with a cap, a third with a total limit. */
function someSteps(count) {
  const steps = new Float64Array(count * 6);
  for (let index = 0, at = 0; index < count; index++, at += 6) {
    steps[at] = 1 + (index % 60);
    steps[at + 1] = 2 + (index % 8);
    steps[at + 2] = index % 3;
    steps[at + 3] = 50 * (1 + (index % 40));
    steps[at + 4] = index % 4 === 0 ? Number.NaN : 1000 * (1 + (index % 20));
    steps[at + 5] = index % 3 === 1 ? 10 + (index % 100) : Number.NaN;
  }
  return steps;
}

/** The same totals, attempt by attempt. */
function walked(steps) {
  const totals = new Float64Array((steps.length / 6) * 4);
  for (let at = 0, to = 0; at < steps.length; at += 6, to += 4) {
    const timeout = steps[at] * 1000;
    const attempts = steps[at + 1];
    const shape = steps[at + 2];
    const base = steps[at + 3];
    const cap = Number.isNaN(steps[at + 4]) ? Number.MAX_VALUE : steps[at + 4];
    let waits = 0;
    let worst = 0;
    let latest = 0;
    let over = false;
    const total = steps[at + 5] * 1000;
    for (let attempt = 1; attempt <= attempts; attempt++) {
      // The limit, where one is declared, cuts the attempt; what does not fit behind a wait never starts.
      const start = timeout * (attempt - 1) + waits;
      if (waits < total) latest = Math.min(start + timeout, total);
      if (!over && !(Math.floor(total - start) < 1)) {
        worst = start + (attempt === 1 || !(total - start < timeout) ? timeout : Math.floor(total - start));
        if (worst > total) worst = total;
      } else if (!over) {
        over = true;
        if (start < total) worst = start;
      }
      if (attempt < attempts) {
        const growth = shape === 2 ? 2 ** (attempt - 1) : shape === 1 ? attempt : 1;
        waits += Math.min(base * growth, cap);
      }
    }
    const schedule = timeout * attempts + waits;
    const declared = !Number.isNaN(total);
    totals[to] = declared ? total : schedule;
    totals[to + 1] = waits;
    totals[to + 2] = declared ? worst : schedule;
    totals[to + 3] = declared ? latest : schedule;
  }
  return totals;
}

function once(call) {
  const start = process.cpuUsage();
  call();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

const steps = someSteps(COUNT);
const ours = plans(steps);
const theirs = walked(steps);
const different = ours.findIndex((number, index) => Math.abs(number - theirs[index]) > 1e-6);
if (different >= 0) {
  const step = steps.subarray(Math.floor(different / 4) * 6).slice(0, 6);
  throw new Error(`total ${different % 4} of ${step}: ${ours[different]} and ${theirs[different]}`);
}
const best = { plans: Number.POSITIVE_INFINITY, walked: Number.POSITIVE_INFINITY };
for (let round = 0; round < ROUNDS; round++) {
  best.plans = Math.min(
    best.plans,
    once(() => plans(steps)),
  );
  best.walked = Math.min(
    best.walked,
    once(() => walked(steps)),
  );
}
console.log(`${best.plans.toFixed(1)} ms  ${COUNT} plans in one call`);
console.log(`${best.walked.toFixed(1)} ms  the same in a plain loop`);
console.log(`${(best.plans / best.walked).toFixed(2)}      ratio`);

const step = { timeout_seconds: 10, retry: { max_attempts: 6, backoff: "exponential", base_delay_ms: 1000 } };
for (const jitter of ["none", "full"]) {
  const options = { workers: 100_000, outageMs: 1e9, capacityPerSecond: 1000, jitter };
  const times = Array.from({ length: 5 }, () => once(() => simulateFleet(step, options)));
  console.log(`${Math.min(...times).toFixed(0)} ms  100000 workers × 6 attempts, jitter ${jitter}`);
}

const billion = { timeout_seconds: 30, retry: { max_attempts: 1e9, backoff: "exponential", base_delay_ms: 100 } };
const many = 2000;
const fastest = Math.min(
  ...Array.from({ length: 9 }, () =>
    once(() => {
      for (let call = 0; call < many; call++) plan(billion);
    }),
  ),
);
console.log(`${(fastest / many).toFixed(4)} ms  plan of a billion attempts`);
