// The simulator and a real run on a virtual clock tell the same story, whatever the policy, the options
// and what attempts do. STEP_RETRY_CASES asks for more cases than the usual, STEP_RETRY_SEED for others.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { runStep, simulate, virtualClock } from "step-retry";
import { random } from "./random.mjs";
import { never } from "./runs.mjs";

const CASES = Number(process.env.STEP_RETRY_CASES ?? 2000);
const SEED = Number(process.env.STEP_RETRY_SEED ?? 1);

/** Runs for real what `simulate` only works out. */
async function play(step, outcomes, { waitLatenessMs = 0, attemptLatenessMs = 0, ...options }) {
  const clock = virtualClock();
  const handler = async ({ attempt, timeoutMs }) => {
    const { result, ms = 0, ...failure } = outcomes[Math.min(attempt, outcomes.length) - 1];
    // A result that came between a limit and its late timer would be heard of first, and stop the attempt then.
    if (result === "hang" || (attemptLatenessMs > 0 && timeoutMs !== null && ms >= timeoutMs)) return never();
    if (ms > 0) await clock.sleep(ms);
    if (result === "ok") return undefined;
    throw { ...FAILURES[result], ...failure };
  };
  // Which of a run's sleeps is a wait and which a limit, its events say.
  let waiting = false;
  const onEvent = ({ type }) => {
    waiting = type === "waiting";
  };
  const sleep = (ms, signal) => clock.sleep(ms + (waiting ? waitLatenessMs : attemptLatenessMs), signal);
  const run = runStep(step, handler, { ...options, onEvent, clock: { now: clock.now, sleep } });
  return clock.run(run);
}

const FAILURES = {
  retryable: { code: "SERVICE_HTTP_5XX", message: "The service answered with a server error", retryable: true },
  fatal: { code: "ENGINE_HANDLER_FAILED", message: "The handler failed", retryable: false },
};

/**
 * A result without what only one of the two can have. Sums of the same times in another order differ by less than
 * a millionth.
 */
function told({ ok, error, record }) {
  const { code, message, retryable, attempts, exhausted_by } = error ?? {};
  const rounded = (_key, value) => (typeof value === "number" ? Math.round(value * 1e6) / 1e6 : value);
  const result = { ok, error: { code, message, retryable, attempts, exhausted_by }, record };
  return JSON.parse(JSON.stringify(result, rounded));
}

const cases = JSON.parse(readFileSync(new URL("../cases/run.json", import.meta.url), "utf8"));

for (const { id, name, step, plan, expect, wait_lateness_ms: waitLatenessMs } of cases.filter(({ expect }) => expect)) {
  test(`run on a virtual clock: ${id}`, async () => {
    const { ok, error, record } = await play(step, plan, { name, waitLatenessMs });
    const attempts = record.attempts.map(({ attempt, started_at_ms, duration_ms, status, clipped_to_ms }) => ({
      attempt,
      start_ms: started_at_ms,
      duration_ms,
      status,
      ...(clipped_to_ms !== undefined && { clipped_to_ms }),
    }));
    const inWordsOfTheCase = {
      ok,
      attempts,
      ...(error && { error_code: error.code, message: error.message }),
      ...(record.exhausted_by && { exhausted_by: record.exhausted_by }),
    };
    assert.deepEqual(inWordsOfTheCase, expect);
  });
}

test(`simulate and a run on a virtual clock agree on ${CASES} random cases`, async () => {
  for (let number = 0; number < CASES; number++) {
    const { step, outcomes, options } = randomCase(random(SEED * 1e9 + number));
    const [simulated, run] = [simulate(step, outcomes, options), await play(step, outcomes, options)];
    assert.deepEqual(told(run), told(simulated), JSON.stringify({ number, step, outcomes, options }));
  }
});

/** A case made of what is drawn. */
function randomCase({ pick, chance, whole }) {
  const gate = chance(0.25);
  const limited = !gate || chance(0.6);
  const step = {
    ...(limited && { timeout_seconds: pick([1, 2, 5]) }),
    ...(chance(0.6) && { idempotent: true }),
    ...(chance(0.9) && { retry: retryBlock() }),
  };
  if (step.retry && step.idempotent && chance(0.7)) step.retry.on_timeout = true;
  const options = {
    name: "s",
    jitter: pick(["none", "full", "equal", "decorrelated"]),
    seed: whole(1000),
    ...(gate && { budget: "gate" }),
    ...(chance(0.4) && { budgetMs: pick([1, 50, 800.5, 1000, 2500, 6000]) }),
    ...(chance(0.6) && { retryAfter: pick(["honor", "clamp", "fail", "ignore"]) }),
    ...(chance(0.3) && { retryAfterCapMs: pick([0, 100, 2000]) }),
    ...(chance(0.3) && { waitLatenessMs: pick([0.5, 3, 40]) }),
    ...(chance(0.3) && { attemptLatenessMs: pick([0.5, 3, 40]) }),
    ...(chance(0.2) && { recordLimit: 1 + whole(3) }),
  };
  return { step, outcomes: Array.from({ length: 1 + whole(5) }, outcome), options };

  function retryBlock() {
    return {
      ...(chance(0.9) && { max_attempts: 1 + whole(6) }),
      ...(chance(0.7) && { backoff: pick(["fixed", "linear", "exponential"]) }),
      ...(chance(0.8) && { base_delay_ms: pick([0, 0.5, 7, 100, 900]) }),
      ...(chance(0.4) && { max_delay_ms: pick([0, 50, 1000]) }),
      ...(chance(0.4) && { total_timeout_seconds: pick([1, 2, 4]) }),
    };
  }

  function outcome() {
    const result = pick(["ok", "retryable", "retryable", "retryable", "fatal", ...(limited ? ["hang"] : [])]);
    if (result === "hang") return { result };
    const ms = pick([0, 1, 12.25, 400, 999, 1000, 1700, 5000]);
    return { result, ms, ...(result === "retryable" && chance(0.3) && { retryAfterMs: pick([0, 5, 150, 3000]) }) };
  }
}
