// Measured gaps against an exported table.

import assert from "node:assert/strict";
import { exportPolicy } from "step-retry/export";

/** What the engine may add to a wait, and the test's own tolerance, in ms. */
const OVERHEAD_MS = 35;
const TOLERANCE_MS = 50;

/** A machine that is busy with other things is late now and then: so often a measurement is made again. */
const ROUNDS = 5;

/** A timer may fire this much early by another clock than the one that set it. */
const EARLY_MS = 2;

/**
 * Runs `step` until its gaps are those of the exported table: never shorter, in no round; and in one
 * round none of them longer than the table by more than the engine's overhead and the tolerance.
 *
 * @param run Runs the step once and gives its attempts' times.
 */
export async function holds(t, target, step, run) {
  const { waits } = exportPolicy(step, target);
  const table = waits.map(({ theirsMs }) => theirsMs);
  let gaps = [];
  for (let round = 1; round <= ROUNDS; round++) {
    const { attempts } = await run(step, round);
    assert.equal(attempts.length, table.length + 1);
    gaps = attempts.slice(1).map(({ startedAt }, index) => startedAt - attempts[index].endedAt);
    for (const [index, gap] of gaps.entries())
      assert.ok(gap >= table[index] - EARLY_MS, `wait ${index + 1} of ${gap} ms is short of ${table[index]}`);
    if (gaps.every((gap, index) => gap <= table[index] + OVERHEAD_MS + TOLERANCE_MS)) {
      t.diagnostic(`waits ${table.join(", ")} ms, measured ${gaps.map(Math.round).join(", ")} ms in round ${round}`);
      return;
    }
  }
  assert.fail(`no round kept to ${table.join(", ")} ms; the last one was ${gaps.map(Math.round).join(", ")} ms`);
}
