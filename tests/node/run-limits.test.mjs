// What a step's limits mean for a run, whichever of them are given.

import assert from "node:assert/strict";
import { test } from "node:test";
import { delays, plan, planRows, runStep, virtualClock } from "step-retry";
import { busy, never, retryable, throwing } from "./runs.mjs";

/** A run on a virtual clock, as its attempts, its length and what used it up. */
async function play(step, handler = busy, options = {}) {
  const clock = virtualClock();
  const { record } = await clock.run(runStep(step, handler, { clock, ...options }));
  return [record.attempts.length, clock.now(), record.exhausted_by];
}

test("trap 13: an option that is undefined is absent", async () => {
  const step = {
    timeout_seconds: 1,
    idempotent: undefined,
    retry: {
      max_attempts: 2,
      base_delay_ms: 100,
      backoff: undefined,
      max_delay_ms: undefined,
      on_timeout: undefined,
      total_timeout_seconds: undefined,
    },
  };
  const options = {
    jitter: undefined,
    seed: undefined,
    name: undefined,
    budget: undefined,
    budgetMs: undefined,
    retryAfter: undefined,
    retryAfterCapMs: undefined,
    recordLimit: undefined,
  };
  assert.deepEqual(await play(step, busy, options), [2, 100, "attempts"]);
});

test("trap 18: attempts are not counted out beforehand; endless is no number of them", async () => {
  const began = performance.now();
  const many = { timeout_seconds: 1, retry: { max_attempts: 1e15, base_delay_ms: 100, total_timeout_seconds: 1 } };
  assert.deepEqual(await play(many), [10, 900, "total_timeout"]);
  assert.equal(plan(many).maxAttempts, 1e15);
  assert.ok(performance.now() - began < 2000);
  await assert.rejects(play({ retry: { max_attempts: Infinity } }), {
    code: "INVALID_VALUE",
    path: ["retry", "max_attempts"],
  });
});

test("trap 21: one attempt is one call, and none at all is refused", async () => {
  assert.deepEqual(await play({ retry: { max_attempts: 1 } }), [1, 0, "attempts"]);
  assert.deepEqual(await play({ retry: {} }), [1, 0, "attempts"]);
  assert.deepEqual(await play({}), [1, 0, undefined]);
  await assert.rejects(play({ retry: { max_attempts: 0 } }), { code: "INVALID_VALUE" });
});

test("trap 22: three attempts are three calls with two waits between", async () => {
  const step = { timeout_seconds: 1, retry: { max_attempts: 3, base_delay_ms: 100 } };
  assert.deepEqual(await play(step), [3, 200, "attempts"]);
  assert.deepEqual([...delays(step, 10)], [100, 100]);
  assert.deepEqual(
    planRows(step).map(({ attempt, waitBeforeMs }) => [attempt, waitBeforeMs.expected]),
    [
      [1, 0],
      [2, 100],
      [3, 100],
    ],
  );
});

test("trap 26: a total limit alone makes no second attempt, as the plan shows", async () => {
  const step = { timeout_seconds: 1, retry: { total_timeout_seconds: 60, base_delay_ms: 100 } };
  assert.deepEqual(await play(step), [1, 0, "attempts"]);
  assert.equal(plan(step).maxAttempts, 1);
});

test("trap 30: every failure counts as an attempt and keeps its wait, also one that a server asked to wait for", async () => {
  const limited = throwing(retryable("slow down", { code: "SERVICE_RATE_LIMITED", retryAfterMs: 500 }));
  const step = { timeout_seconds: 1, retry: { max_attempts: 3, base_delay_ms: 100, total_timeout_seconds: 60 } };
  assert.deepEqual(await play(step, limited), [3, 1000, "attempts"]);
});

test("traps 32 and 35: a wait that ends exactly at the total limit is not begun, one that ends before it is", async () => {
  const step = (base_delay_ms) => ({
    timeout_seconds: 5,
    retry: { max_attempts: 5, base_delay_ms, total_timeout_seconds: 1 },
  });
  assert.deepEqual(await play(step(1000)), [1, 0, "total_timeout"]);
  assert.deepEqual(await play(step(500)), [2, 500, "total_timeout"]);
  assert.deepEqual(await play(step(499)), [3, 998, "total_timeout"]);
});

test("trap 39: the limit of one attempt and that of all are two numbers, each kept", async () => {
  const step = {
    timeout_seconds: 2,
    idempotent: true,
    retry: { max_attempts: 9, on_timeout: true, total_timeout_seconds: 5 },
  };
  const seen = [];
  const hang = ({ timeoutMs, remainingMs }) => {
    seen.push([timeoutMs, remainingMs]);
    return never();
  };
  assert.deepEqual(await play(step, hang), [3, 5000, "total_timeout"]);
  assert.deepEqual(seen, [
    [2000, 5000],
    [2000, 3000],
    [1000, 1000],
  ]);
});

test("trap 84: whichever keys are given, a run ends, with a record and a reason", async () => {
  const keys = {
    max_attempts: 3,
    backoff: "exponential",
    base_delay_ms: 100,
    max_delay_ms: 150,
    on_timeout: true,
    total_timeout_seconds: 2,
  };
  const names = Object.keys(keys);
  for (let chosen = 0; chosen < 2 ** names.length; chosen++) {
    const retry = Object.fromEntries(names.filter((_, bit) => chosen & (1 << bit)).map((name) => [name, keys[name]]));
    for (const timeout_seconds of [undefined, 1]) {
      for (const handler of [busy, never]) {
        const step = { timeout_seconds, idempotent: true, retry };
        const [attempts, , exhaustedBy] = await play(step, handler);
        assert.ok(attempts >= 1 && attempts <= (retry.max_attempts ?? 1), JSON.stringify(step));
        assert.ok(["attempts", "total_timeout", undefined].includes(exhaustedBy));
      }
    }
  }
});
