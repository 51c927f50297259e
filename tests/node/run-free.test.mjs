// StepRun.free: the module's memory goes at once, and nothing can be asked of the run any more.

import assert from "node:assert/strict";
import { test } from "node:test";
import { memories } from "./memories.mjs";

// Nothing is collected here: what is not freed stays.
globalThis.FinalizationRegistry = class {
  register() {}
  unregister() {}
};
const { StepRun } = await import("step-retry");

const STEP = { timeout_seconds: 2, retry: { max_attempts: 3 } };
const BUSY = { code: "BUSY", message: "busy", retryable: true };

/** A run with something in its memory. */
function used() {
  const run = new StepRun(STEP, { name: "fetch", taskId: "t" });
  run.next(0);
  run.begin(0);
  run.fail(1, BUSY);
  return run;
}

/** How many bytes the module takes more after `count` runs. */
function grownBy(count, each) {
  each(used());
  const before = memories[0].buffer.byteLength;
  for (let number = 0; number < count; number++) each(used());
  assert.equal(memories.length, 1);
  return memories[0].buffer.byteLength - before;
}

test("a hundred thousand runs that are freed take no memory, without any garbage being collected", () => {
  assert.equal(
    grownBy(100_000, (run) => run.free()),
    0,
  );
  assert.equal(
    grownBy(20_000, (run) => {
      const again = StepRun.restore(run.snapshot());
      run.free();
      again.free();
    }),
    0,
  );
  // So would be seen what is not.
  assert.ok(grownBy(10_000, () => {}) > 1_000_000);
});

test("after it each call is refused, and to free again does nothing", () => {
  const run = used();
  run.free();
  run.free();
  const refused = { name: "StepRetryError", code: "WRONG_STATE", message: /has been freed/ };
  for (const call of [
    () => run.next(1),
    () => run.begin(1),
    () => run.reportCost(1),
    () => run.succeed(1, "done"),
    () => run.fail(1, BUSY),
    () => run.timeout(1),
    () => run.lost(1),
    () => run.abort(1, "enough"),
    () => run.snapshot(),
  ]) {
    assert.throws(call, refused, String(call));
  }
  run.free();
  assert.equal(used().next(1).do, "attempt");
});

test("what was asked before outlives it", () => {
  const run = used();
  run.abort(2, "enough");
  const { result } = run.next(2);
  const snapshot = run.snapshot();
  run.free();
  assert.equal(result.record.outcome, "aborted");
  assert.deepEqual(StepRun.restore(snapshot).next(3).result.record, result.record);
});

test("a platform's 'using' frees it", {
  skip: Symbol.dispose === undefined && "this Node has no Symbol.dispose",
}, () => {
  const run = used();
  run[Symbol.dispose]();
  assert.throws(() => run.next(1), { code: "WRONG_STATE" });
});
