// What becomes of everything that is going on when the module breaks. The module under test is one that
// does so where a name asks for it (`src/wasm/trap.rs`).

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const { plan, runEvents, runStep, StepRun, validate } = await import(pathToFileURL(process.env.STEP_RETRY_BREAKABLE));

const STEP = { timeout_seconds: 60, idempotent: true, retry: { max_attempts: 3, base_delay_ms: 100 } };
const BUSY = { code: "BUSY", message: "the table is locked", retryable: true };
const FILE = "id: w\nname: W\nversion: 1\nsteps: {}\n";

const internal = { name: "StepRetryError", code: "INTERNAL", message: /the next call starts afresh/ };
const breakIt = () => assert.throws(() => validate("trap in validate"), internal);
const busy = () => {
  throw Object.assign(new Error("busy"), { retryable: true });
};
const never = () => new Promise(() => {});
const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

/** A run that has waited once, with an attempt under way. */
function underWay(name) {
  const run = new StepRun(STEP, { name, jitter: "full" });
  run.next(0);
  run.begin(0);
  run.reportCost(0.5);
  run.fail(10, BUSY);
  run.next(500);
  run.begin(500);
  return run;
}

test("the call that breaks it fails, the next one works", () => {
  breakIt();
  assert.equal(validate(FILE).valid, true);
  breakIt();
  assert.equal(plan(STEP).maxAttempts, 3);
});

test("an open run by hand goes on where it was", () => {
  const run = underWay();
  const before = run.snapshot();
  breakIt();
  assert.deepEqual(run.snapshot(), before);
  breakIt();
  assert.equal(run.fail(600, BUSY), true);
  assert.equal(run.next(600).do, "wait");
  breakIt();
  run.next(10_000);
  run.begin(10_000);
  assert.equal(run.succeed(10_001, { draft: 1 }), true);
  breakIt();
  const { ok, value, record } = run.next(10_001).result;
  assert.deepEqual([ok, value, record.attempts.length, record.attempts[0].cost], [true, { draft: 1 }, 3, 0.5]);
});

test("a run whose instance is gone can be freed all the same", () => {
  const run = underWay();
  breakIt();
  run.free();
  run.free();
  assert.throws(() => run.next(600), { code: "WRONG_STATE" });
  assert.equal(underWay().next(600).do, "running");
});

test("the call of a run that breaks it has not happened", () => {
  const run = new StepRun(STEP, { name: "trap in fail" });
  run.next(0);
  run.begin(0);
  const before = run.snapshot();
  assert.throws(() => run.fail(10, BUSY), internal);
  assert.deepEqual(run.snapshot(), before);
  assert.equal(run.succeed(20), true);
  assert.equal(run.next(20).result.ok, true);
});

test("what the caller changes afterwards is not what goes on", () => {
  const step = structuredClone(STEP);
  const failure = { ...BUSY };
  const run = new StepRun(step);
  run.next(0);
  run.begin(0);
  run.fail(10, failure);
  const before = run.snapshot();
  step.retry.max_attempts = 1;
  failure.message = "changed";
  breakIt();
  assert.deepEqual(run.snapshot(), before);
});

test("a restored run, and one of many calls, go on too", () => {
  const restored = StepRun.restore(underWay().snapshot());
  const long = underWay();
  for (let now = 500; now < 900; now++) long.next(now);
  const before = [restored.snapshot(), long.snapshot()];
  breakIt();
  assert.deepEqual([restored.snapshot(), long.snapshot()], before);
  restored.succeed(700);
  assert.equal(restored.next(700).result.ok, true);
});

test("runs in flight reject, their handlers are told, and no timer stays behind", async () => {
  const before = timers();
  const reasons = [];
  let calls = 0;
  const running = runStep(STEP, ({ signal }) => {
    signal.addEventListener("abort", () => reasons.push(signal.reason.code));
    return never();
  });
  const waiting = runStep({ ...STEP, retry: { max_attempts: 3, base_delay_ms: 60_000 } }, () => {
    calls += 1;
    busy();
  });
  const { result } = runEvents(STEP, never);
  await delay(20);
  breakIt();
  await assert.rejects(running, internal);
  await assert.rejects(waiting, internal);
  await assert.rejects(result, internal);
  assert.deepEqual([reasons, calls], [["INTERNAL"], 1]);
  await delay(20);
  assert.ok(timers() <= before);
});

for (const [place, handler] of [
  ["attempt", () => 1],
  ["wait", busy],
]) {
  test(`a run that breaks it by itself, in its ${place}, rejects, and others with it`, async () => {
    const other = runStep(STEP, never);
    await assert.rejects(runStep(STEP, handler, { name: `trap in ${place}` }), internal);
    await assert.rejects(other, internal);
    const { value } = await runStep(STEP, ({ attempt }) => (attempt === 1 ? busy() : "done"));
    assert.equal(value, "done");
  });
}

test("what a handler gives after the break goes nowhere, and nothing complains", async () => {
  const complaints = [];
  process.on("unhandledRejection", (reason) => complaints.push(reason));
  let give;
  const running = runStep(STEP, () => new Promise((resolve) => (give = resolve)));
  const rejected = assert.rejects(running, internal);
  await delay(5);
  breakIt();
  await rejected;
  give(7);
  await delay(20);
  assert.deepEqual(complaints, []);
});

test("code of the caller's that throws through the module costs nobody their run", async () => {
  const running = runStep(STEP, () => delay(20, "done"));
  const hostile = new Proxy(
    {},
    {
      ownKeys() {
        throw new TypeError("no keys for you");
      },
    },
  );
  assert.throws(() => plan({ retry: hostile }), { code: "INVALID_ARGUMENT" });
  assert.equal((await running).value, "done");
});
