// `step-retry plan`: tables, charts and totals of a file's steps.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { courier, folderWith, stepRetry } from "./command.mjs";

const PATIENT = courier(
  "timeout_seconds: 1",
  "retry:",
  "  max_attempts: 3",
  "  backoff: exponential",
  "  base_delay_ms: 200",
);

async function plan(t, text, ...args) {
  const cwd = await folderWith(t, { "workflow.yaml": text });
  return stepRetry(["plan", "workflow.yaml", ...args], { cwd });
}

test("a step: sentences, a table and a chart", async (t) => {
  const { stdout, stderr, code } = await plan(t, PATIENT, "pull", "--ascii");
  assert.deepEqual(stdout.split("\n"), [
    "pull: Tries up to 3 times, waiting 200 ms, then 400 ms; stops each try after 1 s; gives up after 3.6 s at the latest.",
    "Total limit 3.6 s, made from the schedule. Worst case 3.6 s and 3 calls.",
    "",
    "  attempt   wait before   starts at   limit",
    "        1             -        0 ms     1 s",
    "        2        200 ms       1.2 s     1 s",
    "        3        400 ms       2.6 s     1 s",
    "",
    "  1  #####################",
    "  2                       ....####################",
    "  3                                               ........#####################",
    "     0                                                                    3.6 s",
    "     # attempt, to its limit   . wait",
    "",
  ]);
  assert.deepEqual([stderr, code], ["", 0]);
});

test("an attempt cut by the total limit says so, and one after it is not reached", async (t) => {
  const text = courier(
    "timeout_seconds: 1",
    "idempotent: true",
    "retry:",
    "  max_attempts: 5",
    "  base_delay_ms: 600",
    "  on_timeout: true",
    "  total_timeout_seconds: 2",
  );
  const { stdout } = await plan(t, text, "pull");
  assert.match(stdout, /Total limit 2 s, as declared\. Worst case 2 s/);
  assert.match(stdout, /^ +2 +600 ms +1\.6 s +400 ms +clipped from 1 s$/m);
  assert.match(
    stdout,
    /^ +3-5 +600 ms +- +- +Attempt 3 would start after 3\.2 s, when the total limit of 2 s is used up$/m,
  );
  assert.match(stdout, /^ +3-5 {2}not reached/m);
});

test("of many attempts a page is shown, and how to see the rest", async (t) => {
  const text = courier("timeout_seconds: 1", "retry:", "  max_attempts: 1000000000");
  const first = (await plan(t, text, "pull")).stdout;
  assert.match(first, /… 999999980 more: --from 21/);
  const next = (await plan(t, text, "pull", "--from", "21", "--rows", "3")).stdout;
  assert.match(next, /^ +21 +0 ms +20 s +1 s$/m);
  assert.match(next, /… 999999977 more: --from 24/);
  assert.deepEqual(await plan(t, text, "pull", "--from", "1000000001"), {
    stdout: "",
    stderr: "--from 1000000001 is past the last attempt, 1000000000\n",
    code: 1,
  });
});

test("without a step: a line for each step that has limits", async (t) => {
  const text = `${PATIENT}  rest:\n    description: No limits.\n    execution: auto\n    handler: rest\n`;
  assert.deepEqual(await plan(t, text), {
    stdout:
      "pull  Tries up to 3 times, waiting 200 ms, then 400 ms; stops each try after 1 s; gives up after 3.6 s at the latest.\n",
    stderr: "",
    code: 0,
  });
  assert.match((await plan(t, text, "rest")).stdout, /^rest: Tries once; stops after 1 h\.\nNo total limit\./);
});

test("--json holds limits, plan and rows", async (t) => {
  const {
    step,
    limits,
    explanation,
    plan: whole,
    rows,
  } = JSON.parse((await plan(t, PATIENT, "pull", "--json")).stdout);
  assert.equal(step, "pull");
  assert.match(explanation, /^Tries up to 3 times, /);
  assert.deepEqual(limits, {
    timeout_seconds: 1,
    retry: { max_attempts: 3, backoff: "exponential", base_delay_ms: 200 },
  });
  assert.deepEqual([whole.maxAttempts, whole.budgetMs, whole.budgetSource], [3, 3600, "computed"]);
  assert.deepEqual(
    rows.map(({ startMs }) => startMs),
    [0, 1200, 2600],
  );
});

test("--svg draws the chart into a file", async (t) => {
  const cwd = await folderWith(t, { "workflow.yaml": PATIENT });
  const run = (...args) => stepRetry(["plan", "workflow.yaml", ...args], { cwd });
  const { code, stdout } = await run("pull", "--svg", "chart.svg");
  assert.equal(code, 0);
  assert.match(stdout, /^pull: Tries up to 3 times/);
  const svg = await readFile(join(cwd, "chart.svg"), "utf8");
  assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^>]*aria-label="pull: Tries up to 3 times, /);
  assert.equal(svg.match(/<rect class="attempt"/g).length, 3);
  assert.deepEqual(await run("--svg", "chart.svg"), {
    stdout: "",
    stderr: "step-retry plan: --svg needs a step; 'step-retry plan --help' says how.\n",
    code: 2,
  });
  const { stderr, code: failed } = await run("pull", "--svg", "missing/chart.svg");
  assert.match(stderr, /^Failed to write 'missing\/chart\.svg': ENOENT/);
  assert.equal(failed, 1);
});

test("a step that does not exist: UNKNOWN_STEP and what was probably meant", async (t) => {
  assert.deepEqual(await plan(t, PATIENT, "pul"), {
    stdout: "",
    stderr: "UNKNOWN_STEP: the file has no step 'pul'; did you mean 'pull'?\n",
    code: 1,
  });
  assert.deepEqual(await plan(t, PATIENT, "telephone"), {
    stdout: "",
    stderr: "UNKNOWN_STEP: the file has no step 'telephone'; it has pull\n",
    code: 1,
  });
});

test("limits that are refused have no plan; the refusal says why", async (t) => {
  const { stderr, code } = await plan(t, courier("timeout_seconds: 0"), "pull");
  assert.equal(
    stderr,
    "Invalid workflow: Step 'pull': 'timeout_seconds' must be a positive integer (step at line 5)\n",
  );
  assert.equal(code, 1);
});

test("a step that runs under no limits says so", async (t) => {
  const text =
    "id: a\nname: A\nversion: 1\nsteps:\n  think:\n    description: Think.\n    execution: agent\n    handler: think\n";
  const { stderr, code } = await plan(t, text, "think");
  assert.match(stderr, /^Step 'think' is of kind agent/);
  assert.equal(code, 1);
});
