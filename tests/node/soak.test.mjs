// Nothing grows with the number of runs. STEP_RETRY_SOAK=full makes a million in a row, instead of some
// ten thousands.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const IN_A_ROW = process.env.STEP_RETRY_SOAK === "full" ? 1_000_000 : 10_000;
const AT_ONCE = 10_000;
/** What a heap may differ by between two looks at it. */
const HEAP_NOISE = 1_000_000;

test(`${IN_A_ROW} runs in a row and ${AT_ONCE} at once leave heap, wasm memory, listeners and timers as before`, async () => {
  const script = fileURLToPath(new URL("soak.mjs", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--expose-gc",
    script,
    String(IN_A_ROW),
    String(AT_ONCE),
  ]);
  const kinds = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.equal(kinds.length, 5);
  for (const { kind, heap, ...grown } of kinds) {
    assert.deepEqual(grown, { wasm: 0, timers: 0, listeners: 0, instances: 1 }, kind);
    assert.ok(heap < HEAP_NOISE, `${kind}: the heap grew by ${heap} bytes`);
  }
});
