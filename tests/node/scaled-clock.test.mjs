// The clock of the playground's real runs: faster than the browser's, however late that one's timers are.

import assert from "node:assert/strict";
import { test } from "node:test";
import { runStep } from "../../pkg/dist/esm/index.js";
import { loadSource } from "./source.mjs";

const { ScaledClock } = await loadSource("www/src/scaled-clock.ts");
const STEP = { timeout_seconds: 1, retry: { max_attempts: 3, base_delay_ms: 400 } };

/** Keeps the thread from its timers, again and again: they come 15 ms late, which is 1.5 s at ×100. */
function keepBusy() {
  const timer = setInterval(() => {
    const until = performance.now() + 15;
    while (performance.now() < until);
  }, 1);
  return () => clearInterval(timer);
}

for (const speed of [1, 10, 100]) {
  test(`at ×${speed} each attempt takes what its script says, under late timers`, async () => {
    const clock = new ScaledClock(speed, 0);
    const idle = keepBusy();
    const { record } = await runStep(
      STEP,
      async ({ attempt, signal }) => {
        await clock.sleep(200, signal);
        if (attempt < 3) throw new Error("busy");
      },
      { clock, classify: ({ message }) => ({ code: "SERVICE_HTTP_5XX", message, retryable: true }) },
    );
    idle();
    assert.equal(record.outcome, "succeeded");
    assert.deepEqual(
      record.attempts.map(({ started_at_ms, duration_ms }) => [started_at_ms, duration_ms]),
      [
        [0, 200],
        [600, 200],
        [1200, 200],
      ],
    );
  });
}

test("a clock that is held goes on where it was", async () => {
  const clock = new ScaledClock(100, 5);
  const { signal } = new AbortController();
  const woken = clock.sleep(1000, signal).then(() => clock.now());
  clock.pause();
  const held = clock.now();
  await new Promise((later) => setTimeout(later, 30));
  assert.equal(clock.now(), held);
  clock.resume();
  assert.equal(await woken, 1005);
});
