// Plans through the package: percentiles, layers, and what is refused.

import assert from "node:assert/strict";
import { test } from "node:test";
import { plan, planRows, simulate } from "step-retry";

const STEP = {
  timeout_seconds: 10,
  retry: { max_attempts: 5, backoff: "exponential", base_delay_ms: 100, max_delay_ms: 600 },
};

test("percentiles of waits come from a formula where there is one, and the row says so", () => {
  const rows = planRows(STEP, { jitter: "full", percentiles: [50, 90] });
  assert.deepEqual(
    rows.map(({ waitBeforeMs }) => waitBeforeMs.percentiles),
    [
      [0, 0],
      [50, 90],
      [100, 180],
      [200, 360],
      [300, 540],
    ],
  );
  assert.deepEqual([...new Set(rows.map(({ waitBeforeMs }) => waitBeforeMs.method))], ["exact"]);
  const chained = planRows(STEP, { jitter: "decorrelated", percentiles: [50] });
  assert.deepEqual(
    chained.map(({ waitBeforeMs }) => waitBeforeMs.method),
    ["exact", "exact", "sampled", "sampled", "sampled"],
  );
  for (const { waitBeforeMs } of chained.slice(1)) {
    const [median] = waitBeforeMs.percentiles;
    assert.ok(waitBeforeMs.min < median && median < waitBeforeMs.max);
  }
});

test("who asks for no percentiles gets none", () => {
  assert.deepEqual(Object.keys(planRows(STEP, { jitter: "full" })[1].waitBeforeMs), ["min", "expected", "max"]);
  assert.ok(!("method" in planRows(STEP, { percentiles: [] })[1].waitBeforeMs));
  assert.equal(plan(STEP).percentiles, undefined);
});

test("percentiles of the totals are those of runs with the seeds 0 to 4095", () => {
  const options = { jitter: "equal", budgetMs: 1500 };
  const ends = Array.from(
    { length: 4096 },
    (_, seed) => simulate(STEP, [{ result: "retryable", ms: 200 }], { ...options, seed }).record.elapsed_ms,
  ).sort((a, b) => a - b);
  const { method, values } = plan(STEP, { ...options, assume: 200, percentiles: [50, 99] }).percentiles;
  assert.equal(method, "sampled");
  assert.deepEqual(
    values.map(({ percentile, endMs }) => [percentile, Math.round(endMs * 1e6)]),
    [
      [50, Math.round(ends[2047] * 1e6)],
      [99, Math.round(ends[4055] * 1e6)],
    ],
  );
});

test("without jitter they are the plan's own figures; an end without a bound is null", () => {
  const { percentiles, totalWaitMs, worstCaseMs } = plan(STEP, { percentiles: [1, 99] });
  assert.deepEqual(percentiles, {
    method: "exact",
    values: [1, 99].map((percentile) => ({ percentile, totalWaitMs, endMs: worstCaseMs })),
  });
  const unbounded = { budget: "gate", percentiles: [50] };
  assert.equal(plan({ retry: STEP.retry }, unbounded).percentiles.values[0].endMs, null);
  assert.equal(plan({ retry: STEP.retry }, { ...unbounded, assume: 10 }).percentiles.values[0].endMs, 1350);
});

test("percentiles that are none are refused by their path", () => {
  for (const percentiles of [[101], [-1], [Number.NaN], ["50"], 50, "50", null, Array(101).fill(5)]) {
    for (const call of [() => plan(STEP, { percentiles }), () => planRows(STEP, { percentiles })]) {
      assert.throws(call, { code: "INVALID_ARGUMENT", path: ["options", "percentiles"] });
    }
  }
});

test("trap 81: layers that try again multiply, and the plan names them", () => {
  const { maxCalls, advice } = plan(STEP, { innerAttempts: 3, name: "fetch" });
  assert.equal(maxCalls, 15);
  assert.deepEqual(
    advice.map(({ code, severity, message }) => [code, severity, message]),
    [
      [
        "LAYERS_MULTIPLY",
        "info",
        "Step 'fetch': the step tries 5 times and its client 3 times: the other side sees up to 15 calls — let only one of them try again.",
      ],
    ],
  );
  const layered = plan(STEP, { innerAttempts: { SDK: 4, proxy: 2 } });
  assert.equal(layered.maxCalls, 40);
  assert.match(layered.advice[0].message, /tries 5 times, its SDK 4 times and its proxy 2 times: .* 40 calls/);
  assert.deepEqual(plan(STEP, { innerAttempts: { SDK: 1 } }).advice, []);
  assert.throws(() => plan(STEP, { innerAttempts: { SDK: 0 } }), {
    code: "INVALID_ARGUMENT",
    path: ["options", "innerAttempts", "SDK"],
  });
});

test("attempts that nothing lets start are counted, and the row says why", () => {
  const step = { timeout_seconds: 30, retry: { max_attempts: 4, total_timeout_seconds: 5, base_delay_ms: 2000 } };
  assert.equal(plan(step).reachableAttempts, 3);
  assert.equal(plan(step, { jitter: "full" }).reachableAttempts, 4);
  assert.deepEqual(
    planRows(step, { from: 3, assume: 1000 }).map(({ reachable, reason }) => [reachable, reason]),
    [
      [false, "Attempt 3 would start after 6000 ms, when the total limit of 5000 ms is used up"],
      [
        false,
        "Attempt 4 can never start: the waits before it take 6000 ms, when the total limit of 5000 ms is used up",
      ],
    ],
  );
});
