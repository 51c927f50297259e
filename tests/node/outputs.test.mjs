// What the functions really give is of the types that they promise: each output, as a literal, is
// compiled against the package's declarations. A field that no type knows fails as one that is missing does.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as entry from "step-retry";
import * as other from "step-retry/export";
import { compile } from "./compile.mjs";

const { StepRun, httpFailure, jobRecord, plan, planRows, readJobRecord, readRecord, runStep, simulate, validate } =
  entry;

const STEP = { timeout_seconds: 2, idempotent: true, retry: { max_attempts: 3, base_delay_ms: 5, on_timeout: true } };
const FILE = `id: w
name: W
version: 1
base: &base { handler: h, execution: auto }
steps:
  a:
    <<: *base
    description: A
    depends_on: [b]
    timeout_second: 5
    retry: { max_attempts: 3, backof: linear, on_timeout: true }
  b:
    <<: *base
    description: B
    depends_on: [a]
    timeout_seconds: 0
`;

const outcomes = [{ result: "retryable", retryAfterMs: 7, message: "later" }, { result: "hang" }, { result: "fatal" }];
const steps = [
  STEP,
  {},
  { retry: { max_attempts: 2 } },
  { ...STEP, retry: { ...STEP.retry, total_timeout_seconds: 3 } },
];
const busy = { code: "BUSY", message: "busy", retryable: true, category: "temporary", retryAfterMs: 5 };

/** What a run by hand gives on its way. */
function byHand() {
  const run = new StepRun(STEP, { taskId: "t", seed: 1, jitter: "full" });
  const decisions = [run.next(0)];
  const snapshots = [run.snapshot()];
  run.begin(0);
  decisions.push(run.next(1));
  run.fail(2, busy);
  decisions.push(run.next(2));
  snapshots.push(run.snapshot());
  run.abort(3, "enough");
  snapshots.push(run.snapshot());
  return { decisions, snapshots };
}

async function outputs() {
  const events = [];
  const onEvent = (event) => events.push(event);
  const options = { onEvent, hash: true, name: "s", taskId: "t", budgetMs: 5000 };
  const failing = ({ attempt, reportCost }) => {
    reportCost(0.5);
    if (attempt === 1) throw Object.assign(new Error("busy"), { retryable: true, retryAfterMs: 3 });
    throw new Error("broken");
  };
  const results = [
    await runStep(STEP, failing, options),
    await runStep(STEP, ({ attempt }) => (attempt < 3 ? Promise.reject({ retryable: true }) : { draft: 1 }), options),
    await runStep(STEP, ({ abort }) => abort("not today"), options),
    ...steps.map((step) => simulate(step, outcomes, { seed: 1, jitter: "full" })),
  ];
  const records = results.map(({ record }) => record);
  const exported = other.EXPORT_TARGETS.map((target) => [target, other.exportPolicy(STEP, target)]);
  const imported = other.IMPORT_SOURCES.flatMap((source) => {
    const [, own] = exported.find(([target]) => target === source) ?? [];
    return own?.value === undefined ? [] : [other.importPolicy(source, own.value)];
  });
  const { decisions, snapshots } = byHand();
  return {
    Report: [
      validate(FILE),
      validate("a: [", { recover: true }),
      validate("id: w\nsteps: {a: {}}\n", { strict: true }),
    ],
    Plan: [[], [50, 99]].flatMap((percentiles) =>
      steps.map((step) => plan(step, { innerAttempts: 3, jitter: "full", percentiles })),
    ),
    "PlanRow[]": [[], [50]].flatMap((percentiles) =>
      steps.map((step) => planRows(step, { count: 5, jitter: "decorrelated", percentiles })),
    ),
    Decision: decisions,
    Snapshot: snapshots,
    RunEvent: events,
    StepRecord: [...records, ...records.map((record) => readRecord(JSON.stringify(record)))],
    JobRecord: records.flatMap((record) => [jobRecord(record), readJobRecord(JSON.stringify(jobRecord(record)))]),
    Failure: [httpFailure(503, { "retry-after": "2" }), httpFailure(404), httpFailure(429)],
    Version: [entry.version()],
    PolicyExport: exported.map(([, own]) => own),
    PolicyImport: imported,
  };
}

test("every output is of its type, and of each there are several", async () => {
  const given = await outputs();
  for (const [type, values] of Object.entries(given)) assert.ok(values.length > 0, type);
  assert.ok(given.RunEvent.length >= 8 && given.Report[0].diagnostics.length >= 4);
  const names = (own) => own.map((type) => type.replace("[]", "")).join(", ");
  const types = Object.keys(given);
  const lines = types.flatMap((type) => given[type].map((value) => `  ${JSON.stringify(value)} satisfies ${type},`));
  compile(
    "outputs",
    [
      `import type { ${names(types.filter((type) => !type.startsWith("Policy")))} } from "step-retry";`,
      `import type { ${names(types.filter((type) => type.startsWith("Policy")))} } from "step-retry/export";`,
      "export const outputs = [",
      ...lines,
      "];",
    ].join("\n"),
  );
});
