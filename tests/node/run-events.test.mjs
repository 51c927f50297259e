// What a listener hears of a run: in order, with all that a log line needs, as a trace, and as an iterator.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as api from "@opentelemetry/api";
import { otel, runEvents, runStep, virtualClock } from "step-retry";
import { busy, busyUntil, never, retryable, strays, throwing } from "./runs.mjs";

const STEP = { timeout_seconds: 5, retry: { max_attempts: 3, base_delay_ms: 100 } };

/** The events of a run on a virtual clock. */
async function heard(step, handler, options = {}) {
  const clock = virtualClock();
  const events = [];
  await clock.run(runStep(step, handler, { clock, onEvent: (event) => events.push(event), ...options }));
  return events;
}

test("events say what happened, of which run, step, task and attempt, and when", async () => {
  const events = await heard(STEP, busyUntil(2), { name: "fetch", taskId: "job-7" });
  const [{ run }] = events;
  const frame = (attempt, atMs) => ({ run, step: "fetch", taskId: "job-7", attempt, maxAttempts: 3, atMs });
  const error = { code: "ENGINE_HANDLER_FAILED", message: "not yet", retryable: true };
  assert.deepEqual(events, [
    { type: "attempt", ...frame(1, 0), timeoutMs: 5000 },
    { type: "failed", ...frame(1, 0), error, durationMs: 0 },
    { type: "waiting", ...frame(2, 0), ms: 100 },
    { type: "attempt", ...frame(2, 100), timeoutMs: 5000 },
    { type: "succeeded", ...frame(2, 100), durationMs: 0 },
  ]);
  assert.equal(typeof run, "number");
});

test("every end of a run is told once, as its last event", async () => {
  const last = async (...given) => {
    const { type, code, exhaustedBy, attempt } = (await heard(...given)).at(-1);
    return [type, code, exhaustedBy, attempt];
  };
  assert.deepEqual(await last(STEP, busy), ["gaveUp", "STEP_RETRY_EXHAUSTED", "attempts", 3]);
  assert.deepEqual(await last(STEP, throwing(new Error("no"))), ["gaveUp", "ENGINE_HANDLER_FAILED", undefined, 1]);
  assert.deepEqual(await last(STEP, never, { budgetMs: 100 }), ["gaveUp", "STEP_RETRY_EXHAUSTED", "total_timeout", 1]);
  assert.deepEqual(await last(STEP, ({ abort }) => abort("no")), ["aborted", undefined, undefined, 1]);
  assert.deepEqual(await last(STEP, busy, { signal: AbortSignal.abort() }), ["aborted", undefined, undefined, 0]);
  assert.deepEqual(await last(STEP, () => 1), ["succeeded", undefined, undefined, 1]);
});

test("a clipped attempt and a server's hint are told", async () => {
  const events = await heard(STEP, throwing(retryable("busy", { retryAfterMs: 700 })), { budgetMs: 2000 });
  assert.deepEqual(
    events
      .filter(({ clippedToMs }) => clippedToMs !== undefined)
      .map(({ attempt, clippedToMs }) => [attempt, clippedToMs]),
    [
      [1, 2000],
      [2, 1300],
      [3, 600],
    ],
  );
  assert.deepEqual(
    events.filter(({ type }) => type === "waiting").map(({ ms, retryAfterMs }) => [ms, retryAfterMs]),
    [
      [700, 700],
      [700, 700],
    ],
  );
});

test("runs that go on at once are told apart", async () => {
  const runs = new Set();
  const onEvent = ({ run }) => runs.add(run);
  await Promise.all([1, 2, 3].map(() => runStep(STEP, () => 1, { onEvent })));
  assert.equal(runs.size, 3);
});

// ---- An iterator ----

test("iterating runs the step, event by event, and the result is there", async () => {
  const types = [];
  const run = runEvents({ ...STEP, retry: { max_attempts: 2 } }, busyUntil(2, "done"));
  for await (const { type } of run) types.push(type);
  assert.deepEqual(types, ["attempt", "failed", "waiting", "attempt", "succeeded"]);
  assert.equal((await run.result).value, "done");
});

test("nothing runs before it is asked for, and the result alone is enough", async () => {
  let calls = 0;
  const run = runEvents(STEP, () => ++calls);
  await new Promise(setImmediate);
  assert.equal(calls, 0);
  assert.equal((await run.result).value, 1);
  assert.equal((await run.result).value, 1);
  assert.equal(calls, 1);
});

test("leaving the loop ends the run, and nothing is called after", async () => {
  let calls = 0;
  const found = await strays(async () => {
    const handler = () => {
      calls++;
      busy();
    };
    const run = runEvents({ ...STEP, retry: { max_attempts: 1000 } }, handler);
    for await (const { type } of run) if (type === "failed") break;
    const { record } = await run.result;
    assert.equal(record.outcome, "aborted");
  });
  const then = calls;
  await new Promise((resolve) => setTimeout(resolve, 10));
  assert.deepEqual([calls, found], [then, []]);
  assert.ok(calls <= 3);
});

test("a caller's own signal and listener work beside the iterator", async () => {
  const controller = new AbortController();
  const heardToo = [];
  const run = runEvents(STEP, never, { signal: controller.signal, onEvent: ({ type }) => heardToo.push(type) });
  const types = [];
  for await (const { type } of run) {
    types.push(type);
    controller.abort("closed");
  }
  assert.deepEqual(
    [types, heardToo],
    [
      ["attempt", "aborted"],
      ["attempt", "aborted"],
    ],
  );
  assert.equal((await run.result).error.cause, "closed");
});

test("misuse is told to whoever iterates and to whoever asks for the result; a failed step only to the latter", async () => {
  const found = await strays(async () => {
    const iterate = async (run) => {
      for await (const _ of run);
    };
    const misuse = runEvents({ retry: { max_attempts: 0 } }, () => 1);
    await assert.rejects(iterate(misuse), { code: "INVALID_VALUE" });
    await assert.rejects(misuse.result, { code: "INVALID_VALUE" });
    await assert.rejects(iterate(runEvents(STEP, () => 1, { signal: {} })), {
      code: "INVALID_ARGUMENT",
      path: ["options", "signal"],
    });
    await assert.rejects(iterate(runEvents(STEP, () => 1, null)), { code: "INVALID_ARGUMENT" });

    const failed = runEvents(STEP, throwing(new Error("no")), { throwOnFailure: true });
    await iterate(failed);
    await assert.rejects(failed.result, { code: "ENGINE_HANDLER_FAILED" });
    await iterate(runEvents(STEP, throwing(new Error("no")), { throwOnFailure: true }));
    assert.throws(() => failed[Symbol.asyncIterator](), { code: "WRONG_STATE" });
  });
  assert.deepEqual(found, []);
});

// ---- OpenTelemetry ----

/** A tracer that keeps what it is told. */
function keepingTracer() {
  const spans = [];
  const startSpan = (name, { attributes } = {}, context) => {
    const span = { name, attributes: { ...attributes }, events: [], ended: 0, parent: context?.getValue?.(PARENT) };
    spans.push(span);
    return Object.assign(span, {
      setAttribute: (key, value) => (span.attributes[key] = value),
      setStatus: (status) => (span.status = status),
      addEvent: (event, given) => span.events.push([event, given]),
      end: () => span.ended++,
    });
  };
  return { spans, startSpan };
}

// The API keeps the active span under a key of its own; its `setSpan` puts it there, `getSpan` finds it.
const PARENT = { toString: () => "parent" };
const apiOf = () => ({
  context: api.context,
  trace: {
    setSpan: (context, span) => ({
      getValue: (key) => (key === PARENT ? api.trace.getSpan(api.trace.setSpan(context, span)) : undefined),
    }),
  },
});

test("otel: a span for the step, one for each attempt below it, each ended once", async () => {
  const tracer = keepingTracer();
  const clock = virtualClock();
  await clock.run(
    runStep(STEP, busyUntil(2), { clock, name: "fetch", taskId: "job-7", onEvent: otel(tracer, apiOf()) }),
  );
  const [step, first, second] = tracer.spans;
  assert.deepEqual(
    tracer.spans.map(({ name, ended, parent }) => [name, ended, parent?.name]),
    [
      ["step fetch", 1, undefined],
      ["attempt fetch", 1, "step fetch"],
      ["attempt fetch", 1, "step fetch"],
    ],
  );
  assert.deepEqual(step.attributes, {
    "step_retry.step": "fetch",
    "step_retry.max_attempts": 3,
    "step_retry.task_id": "job-7",
    "step_retry.attempts": 2,
  });
  assert.deepEqual(step.events, [["waiting", { "step_retry.wait_ms": 100, "step_retry.attempt": 2 }]]);
  assert.deepEqual(
    [first.status, first.attributes["error.type"]],
    [{ code: api.SpanStatusCode.ERROR, message: "not yet" }, "ENGINE_HANDLER_FAILED"],
  );
  assert.deepEqual([second.status, step.status, second.attributes["step_retry.attempt"]], [undefined, undefined, 2]);
});

test("otel: whatever the end, no span is left open and none ended twice; one listener serves many runs", async () => {
  const tracer = keepingTracer();
  const onEvent = otel(tracer);
  const ends = [
    [busy],
    [throwing(new Error("no"))],
    [never, { budgetMs: 10 }],
    [({ abort }) => abort("no")],
    [never, { signal: AbortSignal.timeout(5) }],
    [busy, { signal: AbortSignal.abort() }],
    [() => 1],
  ];
  await Promise.all(
    ends.map(([handler, options]) =>
      runStep({ ...STEP, retry: { max_attempts: 2 } }, handler, { ...options, onEvent }),
    ),
  );
  assert.ok(tracer.spans.length >= 13);
  assert.deepEqual(
    tracer.spans.filter(({ ended }) => ended !== 1),
    [],
  );
  const steps = tracer.spans.filter(({ name }) => name === "step step");
  assert.deepEqual(steps.map(({ attributes }) => attributes["error.type"]).sort(), [
    "ENGINE_HANDLER_FAILED",
    "STEP_ABORTED",
    "STEP_ABORTED",
    "STEP_ABORTED",
    "STEP_RETRY_EXHAUSTED",
    "STEP_RETRY_EXHAUSTED",
    undefined,
  ]);
  assert.deepEqual(
    steps
      .map(({ attributes }) => attributes["step_retry.exhausted_by"])
      .filter(Boolean)
      .sort(),
    ["attempts", "total_timeout"],
  );
});
