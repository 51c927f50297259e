// A stock of retries that steps share.

import assert from "node:assert/strict";
import { test } from "node:test";
import { RetryBudget, runStep, virtualClock } from "step-retry";
import { random } from "./random.mjs";
import { busy } from "./runs.mjs";

/** Takes until there is none, and says how many there were. */
function takeAll(budget, nowMs) {
  let taken = 0;
  while (budget.take(nowMs)) taken++;
  return taken;
}

test("trap 80: there is a floor for a quiet caller, and a share of what succeeds", () => {
  const quiet = new RetryBudget({ ttlMs: 10_000, retryRatio: 0.2, minPerSecond: 3 });
  assert.equal(takeAll(quiet, 0), 30);
  const busyCaller = new RetryBudget({ ttlMs: 10_000, retryRatio: 0.2, minPerSecond: 3 });
  for (let call = 0; call < 1000; call++) busyCaller.succeeded(call);
  assert.equal(busyCaller.available(1000), 230);
  assert.equal(takeAll(busyCaller, 1000), 230);
});

test("trap 80: whoever emptied it, the floor is there again when its retries have expired", () => {
  const budget = new RetryBudget({ ttlMs: 10_000, retryRatio: 0, minPerSecond: 1 });
  assert.equal(takeAll(budget, 500), 10);
  assert.equal(takeAll(budget, 9_999), 0);
  assert.equal(takeAll(budget, 10_500), 10);
});

test("a success counts for ttlMs and no longer", () => {
  const budget = new RetryBudget({ ttlMs: 1000, retryRatio: 1, minPerSecond: 0 });
  assert.equal(budget.take(0), false);
  budget.succeeded(0);
  assert.equal(budget.available(999), 1);
  assert.equal(budget.available(1000), 0);
});

test("a share of fractions adds up to whole retries", () => {
  for (const [retryRatio, each] of [
    [0.1, 10],
    [0.2, 5],
    [0.5, 2],
    [1, 1],
    [2, 0.5],
  ]) {
    const budget = new RetryBudget({ retryRatio, minPerSecond: 0 });
    for (let call = 0; call < 30; call++) budget.succeeded(0);
    assert.equal(takeAll(budget, 0), 30 / each, `${retryRatio}`);
  }
});

test("in ttlMs there are never more retries than floor and share allow, and nobody is starved", () => {
  for (let seed = 0; seed < 200; seed++) {
    const { whole, chance, pick } = random(seed);
    const ttlMs = pick([1000, 2500, 60_000]);
    const [retryRatio, minPerSecond] = [pick([0, 0.1, 1, 3]), pick([1, 2.5, 40])];
    const budget = new RetryBudget({ ttlMs, retryRatio, minPerSecond });
    const [successes, retries] = [[], []];
    let nowMs = whole(1e6);
    for (let step = 0; step < 300; step++, nowMs += whole(ttlMs / 20)) {
      const within = (list, ms) => list.filter((at) => at > nowMs - ms).length;
      if (chance(0.5)) {
        budget.succeeded(nowMs);
        successes.push(nowMs);
      } else if (budget.take(nowMs)) {
        retries.push(nowMs);
        // The window moves on by a tenth at a time.
        const most = (minPerSecond * ttlMs) / 1000 + retryRatio * within(successes, ttlMs);
        assert.ok(within(retries, ttlMs * 0.9) <= most + 1e-9);
      }
    }
    assert.ok(retries.length > 0);
  }
});

test("a clock may begin anywhere, jump ahead, and run backward", () => {
  for (const start of [-1e9, 0, 1.8e12]) {
    const budget = new RetryBudget({ ttlMs: 1000, retryRatio: 0, minPerSecond: 1 });
    assert.equal(takeAll(budget, start), 1);
    assert.equal(takeAll(budget, start - 5000), 0);
    assert.equal(takeAll(budget, start + 1e12), 1);
    assert.equal(takeAll(budget, NaN), 0);
    assert.equal(takeAll(budget, start + 2e12), 1);
  }
});

test("numbers that no budget could use are refused by name", () => {
  const refused = [
    ["ttlMs", [0, 999, 60_001, NaN, "10000", null]],
    ["retryRatio", [-0.1, 1001, NaN, Infinity, "0.2"]],
    ["minPerSecond", [-1, NaN, Infinity, "10", 0.01]],
  ];
  for (const [key, values] of refused) {
    for (const value of values) {
      assert.throws(() => new RetryBudget({ [key]: value }), {
        name: "StepRetryError",
        code: "INVALID_ARGUMENT",
        path: [key],
      });
    }
  }
  for (const options of [null, 5, "10"])
    assert.throws(() => new RetryBudget(options), { code: "INVALID_ARGUMENT", path: ["options"] });
  assert.equal(new RetryBudget({ minPerSecond: 0.1 }).available(0), 1);
  assert.equal(new RetryBudget({ ttlMs: undefined }).available(0), 100);
});

test("a step whose retry is denied gives up before the wait, with its last failure as the cause", async () => {
  const clock = virtualClock();
  const retryBudget = new RetryBudget({ ttlMs: 1000, retryRatio: 0, minPerSecond: 1 });
  const step = { timeout_seconds: 1, retry: { max_attempts: 5, base_delay_ms: 100 } };
  const { error, record } = await clock.run(runStep(step, busy, { clock, retryBudget }));
  assert.deepEqual(
    [error.code, error.exhausted_by, error.cause.message],
    ["STEP_RETRY_EXHAUSTED", "retry_budget", "not yet"],
  );
  assert.deepEqual(
    [record.attempts.length, record.attempts[1].exhausted_by, record.elapsed_ms],
    [2, "retry_budget", 100],
  );
});

test("a first attempt takes nothing, and a step that works puts back", async () => {
  const told = [];
  const retryBudget = {
    take: (nowMs) => told.push(["take", nowMs]) > 0,
    succeeded: (nowMs) => told.push(["succeeded", nowMs]),
  };
  const clock = virtualClock();
  await clock.advance(7000);
  await clock.run(runStep({ retry: { max_attempts: 3, base_delay_ms: 50 } }, () => 1, { retryBudget, clock }));
  await clock.run(runStep({ retry: { max_attempts: 1 } }, busy, { retryBudget, clock }));
  assert.deepEqual(told, [["succeeded", 7000]]);
});

test("trap 80: many steps on a sick service make hardly more calls than they would without retries", async () => {
  const clock = virtualClock();
  const retryBudget = new RetryBudget({ ttlMs: 10_000, retryRatio: 0.1, minPerSecond: 1 });
  const step = { timeout_seconds: 1, retry: { max_attempts: 5, base_delay_ms: 100 } };
  let calls = 0;
  const sick = () => {
    calls++;
    busy();
  };
  await clock.run(Promise.all(Array.from({ length: 500 }, () => runStep(step, sick, { clock, retryBudget }))));
  assert.equal(calls, 510);
});
