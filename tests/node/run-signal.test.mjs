// The caller's signal: it ends a run at once, and nothing is left behind.

import assert from "node:assert/strict";
import { test } from "node:test";
import { runStep } from "step-retry";
import { busy, busyUntil, CountedSignal, delay, never, retryable, statuses, throwing, timers } from "./runs.mjs";

const PATIENT = { timeout_seconds: 60, retry: { max_attempts: 5, base_delay_ms: 60_000 } };

test("trap 44: a signal that has fired before lets nothing be called", async () => {
  let calls = 0;
  const { ok, error, record } = await runStep(PATIENT, () => calls++, { signal: AbortSignal.abort("closed") });
  assert.deepEqual(
    [calls, ok, error.code, error.cause, record.outcome],
    [0, false, "STEP_ABORTED", "closed", "aborted"],
  );
  assert.deepEqual(record.attempts, []);
  assert.equal(record.cost, "unknown");
});

test("trap 43: a signal that fires in a wait ends it at once, and nothing is called after", async () => {
  const controller = new AbortController();
  const reason = new Error("enough");
  let calls = 0;
  const run = runStep(
    PATIENT,
    () => {
      calls++;
      setTimeout(() => controller.abort(reason), 5);
      throw retryable();
    },
    { signal: controller.signal },
  );
  const started = performance.now();
  const result = await run;
  assert.ok(performance.now() - started < 1000);
  assert.equal(result.error.cause, reason);
  assert.deepEqual([result.record.outcome, statuses(result)], ["aborted", ["error"]]);
  assert.equal(result.record.attempts[0].error.code, "ENGINE_HANDLER_FAILED");
  await delay(20);
  assert.equal(calls, 1);
});

test("a signal that fires in an attempt ends it at once, with its reason on the attempt's signal", async () => {
  const controller = new AbortController();
  let seen;
  const run = runStep(
    PATIENT,
    ({ signal }) => {
      signal.addEventListener("abort", () => (seen = signal.reason));
      setTimeout(() => controller.abort("closed"), 5);
      return never();
    },
    { signal: controller.signal },
  );
  const result = await run;
  assert.deepEqual([result.record.outcome, statuses(result), seen], ["aborted", ["error"], "closed"]);
  assert.equal(result.record.attempts[0].error.code, "STEP_ABORTED");
  assert.equal(result.record.attempts[0].error.category, "aborted");
  assert.match(result.error.message, /^Step 'step' was aborted: closed$/);
});

test("trap 46: the caller's abort is final, whatever it is called", async () => {
  let calls = 0;
  const step = { ...PATIENT, idempotent: true, retry: { max_attempts: 5, on_timeout: true } };
  const work = () => {
    calls++;
    return never();
  };
  const { record, error } = await runStep(step, work, { signal: AbortSignal.timeout(10) });
  assert.deepEqual([calls, record.outcome, error.cause.name], [1, "aborted", "TimeoutError"]);
});

test("with throwOnFailure an abort rejects with the signal's own reason", async () => {
  for (const reason of [new Error("enough"), "text", null, 0]) {
    const options = { signal: AbortSignal.abort(reason), throwOnFailure: true };
    const thrown = await runStep(PATIENT, () => 1, options).then(assert.fail, (thrown) => ({ thrown }));
    assert.deepEqual(thrown, { thrown: reason === null ? null : reason });
  }
  const silent = Object.assign(new CountedSignal(), { aborted: true });
  await assert.rejects(
    runStep(PATIENT, () => 1, { signal: silent, throwOnFailure: true }),
    { code: "STEP_ABORTED" },
  );
});

test("trap 47: a run listens once to the caller's signal, however many attempts, and not after its end", async () => {
  const signal = new CountedSignal();
  const step = { retry: { max_attempts: 20 } };
  await runStep(step, busyUntil(20), { signal });
  assert.deepEqual([signal.most, signal.listeners.size], [1, 0]);
  await runStep(step, throwing(new Error("no")), { signal });
  await assert.rejects(
    runStep({ retry: { max_attempts: 0 } }, () => 1, { signal }),
    { code: "INVALID_VALUE" },
  );
  assert.equal(signal.listeners.size, 0);
});

test("trap 47: each attempt has a signal of its own, which fires for that attempt alone", async () => {
  const signals = [];
  const step = { timeout_seconds: 60, retry: { max_attempts: 3 } };
  const controller = new AbortController();
  await runStep(
    step,
    ({ attempt, signal }) => {
      signals.push(signal);
      if (attempt < 3) throw retryable();
      controller.abort("closed");
      return never();
    },
    { signal: controller.signal },
  );
  assert.equal(new Set(signals).size, 3);
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [false, false, true],
  );
});

test("a signal that fires between two attempts calls nothing late and tells of no late result", async () => {
  const signal = new CountedSignal();
  const late = [];
  const run = runStep(PATIENT, busy, { signal, onLateResult: (result) => late.push(result) });
  await delay(5);
  signal.abort("closed");
  assert.equal((await run).error.cause, "closed");
  assert.deepEqual(late, []);
});

test("an attempt that worked before the signal fired counts, and is not late", async () => {
  const controller = new AbortController();
  const late = [];
  const options = { signal: controller.signal, onLateResult: (result) => late.push(result) };
  const run = runStep(PATIENT, async () => "done", options);
  // The value is there, and the driver has yet to look at it.
  for (let turn = 0; turn < 3; turn++) await undefined;
  const result = await run.finally(() => controller.abort());
  assert.deepEqual([result.ok, result.value, late], [true, "done", []]);
});

test("a listener that gives up is obeyed before the handler is called", async () => {
  const controller = new AbortController();
  let calls = 0;
  const options = {
    signal: controller.signal,
    onEvent: ({ type }) => type === "attempt" && controller.abort("closed"),
  };
  const { record } = await runStep(PATIENT, () => calls++, options);
  assert.deepEqual([calls, record.outcome], [0, "aborted"]);
});

test("a listener that gives up after a failure takes nothing from a shared budget and hears of no wait", async () => {
  const controller = new AbortController();
  const types = [];
  let taken = 0;
  const options = {
    signal: controller.signal,
    retryBudget: { take: () => ++taken > 0, succeeded: () => {} },
    onEvent: ({ type }) => {
      types.push(type);
      if (type === "failed") controller.abort("closed");
    },
  };
  await runStep(PATIENT, busy, options);
  assert.deepEqual([types, taken], [["attempt", "failed", "aborted"], 0]);
});

test("trap 53: when a run is settled there is no timer left, and no further call", async () => {
  const before = timers().length;
  const controller = new AbortController();
  let calls = 0;
  await Promise.all([
    runStep(PATIENT, () => 1),
    runStep(PATIENT, throwing(new Error("no"))),
    runStep({ ...PATIENT, retry: { max_attempts: 3 } }, () => {
      calls++;
      throw retryable();
    }),
    runStep({ timeout_seconds: 1, retry: { max_attempts: 2 } }, () => never(), { budgetMs: 10 }),
    runStep(PATIENT, ({ abort }) => abort("not today")),
    runStep(PATIENT, busy, {
      signal: controller.signal,
      onEvent: ({ type }) => type === "waiting" && controller.abort(),
    }),
    runStep(PATIENT, busy, { budgetMs: 10 }),
  ]);
  assert.equal(timers().length, before);
  await delay(20);
  assert.equal(calls, 3);
});

test("a signal that cannot be listened to is refused, and nothing is called", async () => {
  const deaf = {
    aborted: false,
    addEventListener: throwing(new Error("deaf")),
    removeEventListener: throwing(new Error("deaf")),
  };
  let calls = 0;
  await assert.rejects(
    runStep(PATIENT, () => calls++, { signal: deaf }),
    { name: "StepRetryError", code: "INVALID_ARGUMENT" },
  );
  await delay(5);
  assert.equal(calls, 0);
  const clinging = Object.assign(new CountedSignal(), { removeEventListener: throwing(new Error("clinging")) });
  assert.equal((await runStep(PATIENT, () => 1, { signal: clinging })).ok, true);
});
