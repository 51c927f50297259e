// Many at once, through the package: the load of a fleet, and totals by the million.

import assert from "node:assert/strict";
import { test } from "node:test";
import { plan, RetryBudget } from "step-retry";
import { plans, simulateFleet } from "step-retry/fleet";

const STEP = { timeout_seconds: 10, retry: { max_attempts: 6, backoff: "exponential", base_delay_ms: 1000 } };
const OPTIONS = { workers: 1000, outageMs: 5000, capacityPerSecond: 1000, bucketMs: 100 };
const sum = (list) => list.reduce((total, number) => total + number, 0);

/** The buckets that are not empty: when each begins, and what is in it. */
const waves = (list, bucketMs) =>
  Array.from(list, (count, index) => [index * bucketMs, count]).filter(([, count]) => count > 0);

test("without jitter all come back together, in waves at exact times", () => {
  const load = simulateFleet(STEP, OPTIONS);
  for (const name of ["calls", "served", "refused", "capacity"]) {
    assert.ok(load[name] instanceof Float64Array, name);
    assert.equal(load[name].length, 311, name);
  }
  assert.deepEqual(
    waves(load.calls, 100).map(([at]) => at),
    [0, 1000, 3000, 7000, 15_000, 31_000],
  );
  assert.deepEqual(waves(load.served, 100), [
    [7000, 100],
    [15_000, 100],
    [31_000, 100],
  ]);
  const { bucketMs, attempts, succeeded, gaveUp, peak, peakAtMs, overload, doneAtMs } = load;
  assert.deepEqual(
    { bucketMs, attempts, succeeded, gaveUp, peak, peakAtMs, overload, doneAtMs },
    {
      bucketMs: 100,
      attempts: 5700,
      succeeded: 300,
      gaveUp: 700,
      peak: 1000,
      peakAtMs: 0,
      overload: 10,
      doneAtMs: 31_000,
    },
  );
});

test("with jitter they come spread out; the same seed gives the same load, bit for bit", () => {
  const options = { ...OPTIONS, jitter: "full", seed: 42 };
  const load = simulateFleet(STEP, options);
  assert.deepEqual(simulateFleet(STEP, options), load);
  assert.notDeepEqual(simulateFleet(STEP, { ...options, seed: 43 }), load);
  assert.ok(load.overload < 1.5 && load.succeeded > 950, `${load.overload} ${load.succeeded}`);
  assert.equal(sum(load.calls), load.attempts);
  assert.ok(load.served.every((served, bucket) => served <= load.capacity[bucket]));
});

test("a shared RetryBudget is asked as a run asks it", () => {
  // Ten a second for ten seconds: a stock of 100 retries for all, and the first wave takes them.
  const retryBudget = new RetryBudget();
  const load = simulateFleet(STEP, { ...OPTIONS, retryBudget });
  assert.deepEqual(waves(load.calls, 100).slice(0, 3), [
    [0, 1000],
    [1000, 100],
  ]);
  assert.equal(load.gaveUp, 1000);
});

test("a stock that throws changes nothing", () => {
  const retryBudget = {
    take() {
      throw new Error("no");
    },
    succeeded() {
      throw new Error("no");
    },
  };
  assert.deepEqual(simulateFleet(STEP, { ...OPTIONS, retryBudget }), simulateFleet(STEP, OPTIONS));
});

test("what cannot be used is refused by its path", () => {
  for (const [key, value] of [
    ["workers", 0],
    ["workers", 1_000_001],
    ["outageMs", -1],
    ["capacityPerSecond", Number.NaN],
    ["bucketMs", 0],
    ["seed", "1"],
    ["failMs", "soon"],
    ["workers", undefined],
  ]) {
    const call = () => simulateFleet(STEP, { ...OPTIONS, [key]: value });
    assert.throws(call, { name: "StepRetryError", code: "INVALID_ARGUMENT", path: ["options", key] });
  }
  assert.throws(() => simulateFleet({ timeout_seconds: 0 }, OPTIONS), { code: "INVALID_VALUE" });
  assert.throws(() => simulateFleet(STEP), { code: "INVALID_ARGUMENT", path: ["options", "workers"] });
});

test("plans: four totals for each step, those of its plan", () => {
  const absent = Number.NaN;
  const backoffs = ["fixed", "linear", "exponential"];
  const steps = [
    [30, 3, 2, 1000, absent, absent],
    [1, 5, 0, 600, absent, 2],
    [5, 8, 1, 700, 1500, 20],
    [absent, absent, absent, absent, absent, absent],
    [10, 1e9, 2, 100, 5000, absent],
    [10, 1e9, 2, 100, 5000, 3600],
  ];
  const totals = plans(Float64Array.from(steps.flat()));
  assert.equal(totals.length, steps.length * 4);
  for (const [index, [timeout, attempts, backoff, base, cap, total]] of steps.entries()) {
    const given = Object.entries({
      max_attempts: attempts,
      backoff: backoffs[backoff],
      base_delay_ms: base,
      max_delay_ms: cap,
      total_timeout_seconds: total,
    }).filter(([, value]) => value !== undefined && !Number.isNaN(value));
    const step = { retry: Object.fromEntries(given), ...(Number.isNaN(timeout) ? {} : { timeout_seconds: timeout }) };
    const { budgetMs, totalWaitMs, worstCaseMs, latestEndMs } = plan(step);
    assert.deepEqual([...totals.subarray(index * 4, index * 4 + 4)], [budgetMs, totalWaitMs, worstCaseMs, latestEndMs]);
  }
});

test("plans: a number that a file may not hold is refused with its step", () => {
  const refused = (...numbers) => {
    try {
      plans(Float64Array.from([1, 1, 0, 0, 0, 1, ...numbers]));
    } catch ({ code, message, path }) {
      return [code, message, path];
    }
  };
  assert.deepEqual(refused(1, 0, 0, 0, 0, 1), [
    "INVALID_VALUE",
    "Step '1': 'retry.max_attempts' must be a positive integer",
    ["steps", 1],
  ]);
  assert.equal(refused(1.5, 1, 0, 0, 0, 1)[1], "Step '1': 'timeout_seconds' must be a positive integer");
  assert.equal(refused(1, 1, 3, 0, 0, 1)[1], "Step '1': 'retry.backoff' must be 'fixed', 'linear', or 'exponential'");
  assert.equal(refused(1, 1, 0, -1, 0, 1)[1], "Step '1': 'retry.base_delay_ms' must be a non-negative number");
  assert.deepEqual(refused(1), ["INVALID_ARGUMENT", "'steps' must have 6 numbers for each step", ["steps"]]);
  assert.throws(() => plans("steps"), { code: "INVALID_ARGUMENT" });
  assert.deepEqual([...plans(new Float64Array(0))], []);
});
