// Records: as the reference prints them, as one line a job, and back in from JSON.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect, jobRecord, readJobRecord, readRecord, runStep, simulate } from "step-retry";
import { busyUntil, never, throwing } from "./runs.mjs";

const STEP = { timeout_seconds: 2, retry: { max_attempts: 3 } };

test("inspect prints the reference's own lines", () => {
  const outcomes = [{ result: "retryable", ms: 1.2 }, { result: "retryable" }, { result: "ok" }];
  const { record } = simulate(STEP, outcomes, { name: "fetch", hash: true });
  record.attempts[2].evidence_hash = `d038311e${"0".repeat(56)}`;
  assert.equal(
    inspect(record),
    [
      "  1. fetch",
      "     (attempt 1/3)  error   1ms   hash: 44136fa3",
      "     (attempt 2/3)  error   0ms   hash: 44136fa3",
      "     (attempt 3/3)  success   0ms   hash: d038311e",
    ].join("\n"),
  );
});

test("inspect leaves out a hash that is not there", async () => {
  const { record } = await runStep(STEP, ({ abort }) => abort("no"), { name: "fetch" });
  assert.match(inspect(record), /^ {2}1\. fetch\n {5}\(attempt 1\/1?3\) {2}skipped {3}\d+ms$/);
});

test("the article: task id, attempts, classified failure, outcome, and cost or unknown", async () => {
  const job = async (handler, options) =>
    jobRecord((await runStep(STEP, handler, { name: "draft", ...options })).record);
  const works = busyUntil(2);
  const counted = (context) => {
    context.reportCost(0.25);
    return works(context);
  };
  assert.deepEqual(await job(counted, { taskId: "job-7" }), {
    task_id: "job-7",
    step: "draft",
    attempts: 2,
    outcome: "succeeded",
    failure: null,
    exhausted_by: null,
    cost: 0.5,
  });
  assert.deepEqual(await job(throwing(new Error("bad input"))), {
    task_id: null,
    step: "draft",
    attempts: 1,
    outcome: "failed",
    failure: { code: "ENGINE_HANDLER_FAILED", message: "bad input", retryable: false, category: "permanent" },
    exhausted_by: null,
    cost: "unknown",
  });
  const spent = await job(never, { budgetMs: 5, recordLimit: 1 });
  assert.deepEqual(
    [spent.exhausted_by, spent.failure.code, spent.failure.category],
    ["total_timeout", "STEP_TIMEOUT", "ambiguous"],
  );
  assert.equal((await job(busyUntil(3), { recordLimit: 1 })).attempts, 3);
  assert.equal((await job(works, { signal: AbortSignal.abort() })).attempts, 0);
});

/** A record that has every field there is. */
async function fullRecord() {
  const step = { timeout_seconds: 60, retry: { max_attempts: 3 } };
  const handler = ({ reportCost }) => {
    reportCost(1);
    throw Object.assign(new Error("busy"), { retryable: true, category: "temporary" });
  };
  const { record } = await runStep(step, handler, { taskId: "job-7", hash: true, recordLimit: 2, budgetMs: 1000 });
  record.attempts[0].late_ms ??= 0.5;
  return record;
}

test("records go out as JSON and come back the same", async () => {
  const record = await fullRecord();
  assert.deepEqual(readRecord(JSON.stringify(record)), record);
  assert.deepEqual(readRecord(JSON.parse(JSON.stringify(record))), record);
  const job = jobRecord(record);
  assert.deepEqual(readJobRecord(JSON.stringify(job)), job);
  assert.deepEqual(readRecord({ ...record, later: true }).later, true);
  for (const outcomes of [[{ result: "ok" }], [{ result: "fatal" }], [{ result: "hang" }]]) {
    const { record } = simulate({}, outcomes);
    assert.deepEqual(readRecord(JSON.stringify(record)), record);
  }
});

test("trap 90: each value that no run could have written is refused by its path", async () => {
  const record = await fullRecord();
  const every = [...places(record), ...places(jobRecord(record)).map((path) => ["job", ...path])];
  assert.ok(every.length > 40);
  for (const [first, ...rest] of every) {
    const [whole, path, read] =
      first === "job" ? [jobRecord(record), rest, readJobRecord] : [record, [first, ...rest], readRecord];
    const broken = structuredClone(whole);
    const key = path.at(-1);
    path.slice(0, -1).reduce((at, key) => at[key], broken)[key] = Symbol.iterator;
    assert.throws(
      () => read(broken),
      (error) => {
        assert.deepEqual([error.name, error.code, error.path], ["StepRetryError", "INVALID_ARGUMENT", path]);
        return true;
      },
    );
  }
});

/** The paths of all values in `value`. */
function places(value) {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, under]) => {
    const step = Array.isArray(value) ? Number(key) : key;
    return [[step], ...places(under).map((path) => [step, ...path])];
  });
}

test("what is no JSON, or JSON of something else, is refused", () => {
  for (const [json, path] of [
    ["", []],
    ["{", []],
    ["[]", []],
    ["5", []],
    [null, []],
    [undefined, []],
    ["{}", ["step"]],
    [{ step: "s", outcome: "lost" }, ["outcome"]],
  ]) {
    assert.throws(() => readRecord(json), { name: "StepRetryError", code: "INVALID_ARGUMENT", path });
  }
  const { record } = simulate({}, [{ result: "ok" }]);
  const wrong = [
    ["attempts", 0, "attempt", 1.5],
    ["attempts", 0, "duration_ms", -1],
    ["attempts", 0, "started_at_ms", null],
    ["cost", "free"],
    ["cost", -1],
    ["task_id", 7],
    ["attempts", {}],
  ];
  for (const [...place] of wrong) {
    const value = place.pop();
    const broken = structuredClone(record);
    place.slice(0, -1).reduce((at, key) => at[key], broken)[place.at(-1)] = value;
    assert.throws(() => readRecord(broken), { code: "INVALID_ARGUMENT", path: place });
  }
});
