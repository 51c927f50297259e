// `step-retry export`: a step's retries for another engine, and what may be lost.

import assert from "node:assert/strict";
import { test } from "node:test";
import { exportPolicy } from "step-retry/export";
import { courier, folderWith, stepRetry } from "./command.mjs";

const LIMITS = ["timeout_seconds: 30", "retry:", "  max_attempts: 3", "  backoff: exponential", "  base_delay_ms: 500"];
const STEP = { timeout_seconds: 30, retry: { max_attempts: 3, backoff: "exponential", base_delay_ms: 500 } };

async function run(t, ...args) {
  const cwd = await folderWith(t, { "workflow.yaml": courier(...LIMITS) });
  return stepRetry(["export", "workflow.yaml", "pull", ...args], { cwd });
}

test("the text is on stdout, the losses are on stderr", async (t) => {
  const { stdout, stderr, code } = await run(t, "--to", "temporal");
  const { text, losses } = exportPolicy(STEP, "temporal", { name: "pull" });
  assert.deepEqual([stdout, code], [text, 0]);
  assert.deepEqual(
    stderr
      .trim()
      .split("\n")
      .map((line) => line.slice(2)),
    losses.map(({ code, message }) => `${code}: ${message}`),
  );
});

test("--json is all there is", async (t) => {
  const { stdout, stderr, code } = await run(t, "--to", "restate", "--json");
  assert.deepEqual([JSON.parse(stdout), stderr, code], [exportPolicy(STEP, "restate", { name: "pull" }), "", 0]);
});

test("--max-loss holds: what is worse is not written, and exit 1", async (t) => {
  const rounded = ["--to", "step-functions"];
  assert.equal((await run(t, ...rounded)).code, 0);
  for (const [level, target, codes] of [
    ["code", "step-functions", "approximate on step-functions: delay-rounded"],
    ["exact", "temporal", "exact-with-code on temporal: retryable-inverted"],
    [
      "approximate",
      "graphile-worker",
      "refused on graphile-worker: backoff-missing, timeout-retried, retryable-inverted",
    ],
  ]) {
    const { stdout, stderr, code } = await run(t, "--to", target, "--max-loss", level);
    assert.deepEqual([stdout, code], ["", 1]);
    assert.equal(stderr.trim().split("\n").at(-1), `Step 'pull' is ${codes}`);
  }
});

test("a step that there is not is refused as elsewhere", async (t) => {
  const cwd = await folderWith(t, { "workflow.yaml": courier(...LIMITS) });
  const { stderr, code } = await stepRetry(["export", "workflow.yaml", "pul", "--to", "dbos"], { cwd });
  assert.deepEqual([stderr, code], ["UNKNOWN_STEP: the file has no step 'pul'; did you mean 'pull'?\n", 1]);
});
