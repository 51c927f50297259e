// Trap 52: time for tests that passes only when it is told to.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fromBounded, RetryBudget, runStep, virtualClock } from "step-retry";
import { busy, busyUntil, never, retryable, statuses, throwing } from "./runs.mjs";

const DAY = 86_400_000;

test("trap 52: a run of many days is over at once, with every ms in its record", async () => {
  const clock = virtualClock();
  const step = { timeout_seconds: 60, retry: { max_attempts: 4, backoff: "exponential", base_delay_ms: 30 * DAY } };
  const began = performance.now();
  const work = async ({ attempt }) => {
    await clock.sleep(attempt * 1000);
    return busyUntil(4, clock.now())({ attempt });
  };
  const { value, record } = await clock.run(runStep(step, work, { clock }));
  assert.ok(performance.now() - began < 2000);
  const starts = [0, 1000 + 30 * DAY, 3000 + 90 * DAY, 6000 + 210 * DAY];
  assert.deepEqual(
    record.attempts.map(({ started_at_ms }) => started_at_ms),
    starts,
  );
  assert.deepEqual([value, clock.now()], [starts[3] + 4000, starts[3] + 4000]);
});

test("a handler that sleeps past its limit is stopped at it, and its late result is told when it comes", async () => {
  const clock = virtualClock();
  const late = [];
  const onLateResult = (result) => late.push({ ...result, at: clock.now() });
  const step = {
    timeout_seconds: 1,
    idempotent: true,
    retry: { max_attempts: 2, on_timeout: true, base_delay_ms: 100 },
  };
  const work = async ({ attempt }) => {
    await clock.sleep(attempt === 1 ? 5000 : 10);
    return attempt;
  };
  const result = await clock.run(runStep(step, work, { clock, onLateResult }));
  assert.deepEqual([result.value, statuses(result), clock.now(), late], [2, ["error", "success"], 1110, []]);
  await clock.advance(3890);
  assert.deepEqual(late, [{ attempt: 1, ok: true, value: 1, at: 5000 }]);
});

test("a sleep ends with its signal, and leaves nobody asleep", async () => {
  const clock = virtualClock();
  const controller = new AbortController();
  const slept = clock.sleep(1000, controller.signal);
  controller.abort("enough");
  await assert.rejects(slept, (reason) => reason === "enough");
  await assert.rejects(clock.sleep(1, controller.signal), (reason) => reason === "enough");
  await assert.rejects(clock.run(never()), { code: "WRONG_STATE" });
  assert.equal(clock.now(), 0);
});

test("sleepers wake in the order of their time, and those of one time in the order they lay down", async () => {
  const clock = virtualClock({ wallMs: 1000 });
  const woken = [];
  for (const [name, ms] of [
    ["c", 30],
    ["a", 10],
    ["b", 10],
    ["d", 30],
    ["now", 0],
  ]) {
    void clock.sleep(ms).then(() => woken.push(`${name}@${clock.now()}`));
  }
  await clock.advance(5);
  assert.deepEqual([woken, clock.now(), clock.wallNow()], [["now@0"], 5, 1005]);
  await clock.advance(25);
  assert.deepEqual(woken, ["now@0", "a@10", "b@10", "c@30", "d@30"]);
});

test("many runs on one clock go on side by side", async () => {
  const clock = virtualClock();
  const step = (base_delay_ms) => ({ timeout_seconds: 60, retry: { max_attempts: 3, base_delay_ms } });
  const runs = [0, 7, 11, 1000].map((wait) => runStep(step(wait), busyUntil(3, wait), { clock }));
  const results = await clock.run(Promise.all(runs));
  assert.deepEqual(
    results.map(({ record }) => record.elapsed_ms),
    [0, 14, 22, 2000],
  );
});

test("a wrong span of time is refused by its name", async () => {
  const clock = virtualClock();
  for (const ms of [-1, NaN, Infinity, "5", undefined]) {
    await assert.rejects(clock.sleep(ms), { code: "INVALID_ARGUMENT", path: ["ms"] });
    await assert.rejects(clock.advance(ms), { code: "INVALID_ARGUMENT", path: ["ms"] });
  }
  assert.throws(() => virtualClock({ wallMs: NaN }), { code: "INVALID_ARGUMENT", path: ["wallMs"] });
});

// The bounded retry of a plain script: its own seven tests, and the numbers of its text.

async function bounded(policy, handler, clock = virtualClock()) {
  const { step, options } = fromBounded(policy);
  const waits = [];
  const onEvent = ({ type, ms }) => type === "waiting" && waits.push(ms / 1000);
  const result = await clock.run(runStep(step, handler, { ...options, clock, onEvent }));
  return { ...result, waits, attempts: result.record.attempts.length, seconds: clock.now() / 1000 };
}

test("the article: two failures, then success, after waits of 0.5 and 1 second", async () => {
  const { value, waits, attempts } = await bounded({}, busyUntil(3, "draft source loaded"));
  assert.deepEqual([value, attempts, waits], ["draft source loaded", 3, [0.5, 1]]);
});

test("trap 24, the article: a persistent failure stops after three attempts, without another sleep", async () => {
  const { error, attempts, waits, seconds } = await bounded({}, busy);
  assert.deepEqual([error.code, attempts, waits, seconds], ["STEP_RETRY_EXHAUSTED", 3, [0.5, 1], 1.5]);
});

test("the article: a permanent error propagates as it is, on the last attempt too", async () => {
  for (const last of [1, 2, 3]) {
    const invalid = new TypeError("invalid input");
    const { error, attempts } = await bounded({}, ({ attempt }) => (attempt < last ? busy() : throwing(invalid)()));
    assert.deepEqual([error.code, error.cause, attempts], ["ENGINE_HANDLER_FAILED", invalid, last]);
  }
});

test("traps 31 and 32, the article: a wait that would use all that is left is not begun", async () => {
  const { error, attempts, seconds } = await bounded({ max_elapsed: 0.5 }, busy);
  assert.deepEqual([error.exhausted_by, attempts, seconds], ["total_timeout", 1, 0]);
});

test("the article: a policy of one attempt never sleeps", async () => {
  const { attempts, waits } = await bounded({ max_attempts: 1 }, busy);
  assert.deepEqual([attempts, waits], [1, []]);
});

test("the article: longer policies respect the cap on each wait", async () => {
  const { waits } = await bounded({ max_attempts: 6, max_elapsed: 60 }, busy);
  assert.deepEqual(waits, [0.5, 1, 2, 2, 2]);
});

test("trap 38, the article: an operation that runs past the limit is not interrupted", async () => {
  const clock = virtualClock();
  const slow = async () => {
    await clock.sleep(30_000);
    return "late but here";
  };
  const { value, seconds } = await bounded({}, slow, clock);
  assert.deepEqual([value, seconds], ["late but here", 30]);
});

test("the article: numbers that no run could use are refused by name", () => {
  for (const [key, value] of [
    ["max_attempts", 0],
    ["max_attempts", 1.5],
    ["max_elapsed", 0],
    ["base_delay", -1],
    ["delay_cap", NaN],
  ]) {
    assert.throws(() => fromBounded({ [key]: value }), { code: "INVALID_ARGUMENT", path: [key] });
  }
});

test("traps 1 and 69 to 73: what a server's hint does is the caller's choice, compared with the time left", async () => {
  const waited = async (retryAfterMs, options, limits = {}) => {
    const clock = virtualClock();
    const step = { timeout_seconds: 5, retry: { max_attempts: 2, base_delay_ms: 10, ...limits } };
    const handler = ({ attempt }) => (attempt === 1 ? throwing(retryable("busy", { retryAfterMs }))() : "done");
    const { record } = await clock.run(runStep(step, handler, { clock, ...options }));
    return record.exhausted_by ?? record.waited_ms;
  };
  const within = { budgetMs: 40 * DAY };
  assert.equal(await waited(600_000, within), 600_000);
  assert.equal(await waited(30 * DAY, within), 30 * DAY);
  assert.equal(await waited(600_000, {}), "total_timeout");
  assert.equal(await waited(0, within), 10);
  assert.equal(await waited(600_000, { ...within, retryAfter: "clamp", retryAfterCapMs: 5000 }), 5000);
  assert.equal(await waited(600_000, { ...within, retryAfter: "clamp" }), 60_000);
  assert.equal(await waited(600_000, { ...within, retryAfter: "clamp" }, { max_delay_ms: 200 }), 200);
  assert.equal(await waited(600_000, { ...within, retryAfter: "fail", retryAfterCapMs: 5000 }), "retry_after");
  assert.equal(await waited(5000, { ...within, retryAfter: "fail", retryAfterCapMs: 5000 }), 5000);
  assert.equal(await waited(600_000, { ...within, retryAfter: "ignore" }), 10);
  assert.equal(await waited(600_000, { budgetMs: 600_001, retryAfter: "honor" }), 600_000);
  assert.equal(await waited(600_000, { budgetMs: 600_000, retryAfter: "honor" }), "total_timeout");
});

test("trap 27: an attempt that times out counts as one", async () => {
  const clock = virtualClock();
  const step = { timeout_seconds: 1, idempotent: true, retry: { max_attempts: 3, on_timeout: true } };
  const { error, record } = await clock.run(runStep(step, never, { clock }));
  assert.deepEqual([error.exhausted_by, record.attempts.length, clock.now()], ["attempts", 3, 3000]);
});

test("trap 37: the first attempt counts towards the total limit", async () => {
  const clock = virtualClock();
  const step = { timeout_seconds: 10, retry: { max_attempts: 3, base_delay_ms: 100, total_timeout_seconds: 2 } };
  const handler = async () => {
    await clock.sleep(1950);
    busy();
  };
  const { record } = await clock.run(runStep(step, handler, { clock }));
  assert.deepEqual([record.attempts.length, record.exhausted_by], [1, "total_timeout"]);
});

test("a budget that steps share keeps the time of the runs' clock", async () => {
  const clock = virtualClock();
  const retryBudget = new RetryBudget({ ttlMs: 1000, retryRatio: 0, minPerSecond: 2 });
  const step = { timeout_seconds: 1, retry: { max_attempts: 4 } };
  const run = () => clock.run(runStep(step, busy, { clock, retryBudget }));
  const first = await run();
  assert.deepEqual([first.record.attempts.length, first.record.exhausted_by], [3, "retry_budget"]);
  assert.equal((await run()).record.attempts.length, 1);
  await clock.advance(1000);
  assert.equal((await run()).record.attempts.length, 3);
});
