// Many runs in one process, and what they leave behind. Prints one line of JSON for each kind of run;
// needs --expose-gc. Usage: node --expose-gc soak.mjs IN_A_ROW AT_ONCE

import { setTimeout as delay } from "node:timers/promises";
import { memories } from "./memories.mjs";
import { busy, busyUntil, CountedSignal, never, timers } from "./runs.mjs";

const { StepRun, runStep } = await import("step-retry");

const [inARow, atOnce] = process.argv.slice(2).map(Number);
const STEP = { timeout_seconds: 60, retry: { max_attempts: 3 } };
const WAITING = { timeout_seconds: 60, retry: { max_attempts: 3, base_delay_ms: 20 } };
const CUT = { timeout_seconds: 60, idempotent: true, retry: { max_attempts: 2, on_timeout: true } };
const signal = new CountedSignal();

/** One run after the other. */
const row = (share, run) => async (count) => {
  for (let number = 0; number < count * share; number++) {
    await run(number);
    if (number % 1000 !== 0) continue;
    // A host knows nothing of the module's memory: it looks for garbage when its own runs short.
    gc();
    await new Promise(setImmediate);
  }
};
/** All runs together. */
const together = (run) => async () =>
  void (await Promise.all(Array.from({ length: atOnce }, (_, number) => run(number))));

const kinds = {
  "in a row": row(1, (number) => {
    switch (number % 8) {
      case 0:
        return runStep(STEP, busyUntil(3), { signal });
      case 1:
        return runStep(STEP, async () => busy());
      case 2:
        return runStep(STEP, ({ abort, signal }) => abort(String(signal.aborted)));
      case 3:
        return runStep(STEP, never, { signal: AbortSignal.abort() });
      case 4:
        return runStep(STEP, () => 1, { onEvent: () => {}, hash: true, jitter: "full" });
      default:
        return runStep(STEP, async () => 1, { signal });
    }
  }),
  "in a row, never settled": row(0.01, () => runStep(CUT, never, { budgetMs: 1 })),
  "in a row, by hand": row(0.1, () => {
    const run = StepRun.restore(new StepRun(STEP).snapshot());
    run.next(0);
    run.begin(0);
    run.fail(1, { code: "X", message: "x", retryable: true });
  }),
  "at once, with waits": together((number) => runStep(WAITING, busyUntil(1 + (number % 3)), { signal })),
  "at once, given up": together((number) => {
    const own = AbortSignal.timeout(5 + (number % 20));
    return runStep(WAITING, number % 2 ? busy : never, { signal: own });
  }),
};

function measure() {
  gc();
  gc();
  return {
    heap: process.memoryUsage().heapUsed,
    wasm: memories.reduce((sum, { buffer }) => sum + buffer.byteLength, 0),
  };
}

for (const [kind, work] of Object.entries(kinds)) {
  // The first time fills caches and pools; the second must find them filled.
  await work(inARow);
  await delay(20);
  const before = measure();
  const timersBefore = timers().length;
  await work(inARow);
  await delay(20);
  const after = measure();
  const grown = {
    heap: after.heap - before.heap,
    wasm: after.wasm - before.wasm,
    timers: timers().length - timersBefore,
  };
  console.log(JSON.stringify({ kind, ...grown, listeners: signal.listeners.size, instances: memories.length }));
}
