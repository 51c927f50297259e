// A user's program that runs steps: compiled against the package's declarations, never run.

import * as api from "@opentelemetry/api";
import {
  type AttemptSignal,
  type Clock,
  type Failure,
  FetchError,
  type FetchResponse,
  fetchAttempt,
  fromBounded,
  inspect,
  type JobRecord,
  jobRecord,
  otel,
  RetryBudget,
  type RunEvent,
  readJobRecord,
  readRecord,
  runEvents,
  runStep,
  type Snapshot,
  type StepResult,
  StepRun,
  virtualClock,
} from "step-retry";

/** Compiles only when the two types are the same. */
type Same<A, B> = [A, B] extends [B, A] ? true : never;
const same = <A, B>(_same: Same<A, B>): void => undefined;

// The value's type comes from the handler, whether it gives a value or a promise.
const now = runStep({}, () => 7);
same<typeof now, Promise<StepResult<number>>>(true);
const later = runStep({}, async ({ attempt, signal }) => `${attempt} ${signal.aborted}`);
same<typeof later, Promise<StepResult<string>>>(true);
void later.then(({ value }) => same<typeof value, string | undefined>(true));

// A handler may take its context apart, and abort is the end of it.
void runStep({}, ({ abort, reportCost, clippedToMs }) => {
  reportCost(clippedToMs ?? 0.5);
  const never: never = abort("not today");
  return never;
});

const clock = virtualClock({ wallMs: 0 });
same<typeof clock extends Clock ? true : false, true>(true);
const own: Clock = { now: () => 0, sleep: async (_ms: number, _signal: AttemptSignal) => undefined };
void runStep({}, () => 1, {
  clock: own,
  classify: (): Failure | undefined => undefined,
  retryBudget: new RetryBudget(),
});
void clock.run(runStep({}, () => 1, { clock })).then(({ record }) => [inspect(record), jobRecord(record)]);

const bounded = fromBounded({ max_attempts: 3 });
void runStep(bounded.step, () => 1, { ...bounded.options, onLateResult: ({ value }) => value?.toFixed() });

// Which fields an event has, its type says.
const line = (event: RunEvent): string => {
  switch (event.type) {
    case "failed":
      return `${event.error.code} after ${event.durationMs}`;
    case "waiting":
      return `${event.ms} ${event.retryAfterMs ?? 0}`;
    case "gaveUp":
      return `${event.code} ${event.exhaustedBy ?? ""}`;
    default:
      return `${event.run} ${event.step} ${event.attempt}/${event.maxAttempts}`;
  }
};
const events = runEvents({}, () => true, { onEvent: line });
void (async () => {
  for await (const event of events) line(event);
  same<Awaited<typeof events.result>["value"], boolean | undefined>(true);
})();

// OpenTelemetry's own tracer and API fit.
void runStep({}, () => 1, { onEvent: otel(api.trace.getTracer("a"), api) });
void runStep({}, () => 1, { onEvent: otel(api.trace.getTracer("a")) });

const job: JobRecord = readJobRecord("{}");
same<typeof job.cost, number | "unknown">(true);
readRecord({}).attempts.map(({ late_ms }) => late_ms ?? 0);

const get = fetchAttempt("https://example.com", undefined, { keepBody: true, readBody: true });
void runStep({}, get).then(({ value, error }) => {
  same<typeof value, FetchResponse | undefined>(true);
  if (error?.cause instanceof FetchError) same<typeof error.cause.response, FetchResponse | undefined>(true);
});

const run = new StepRun<string>({}, { hash: true });
const next = run.next(0);
if (next.do === "attempt") same<typeof next.timeoutMs, number | null>(true);
if (next.do === "done") same<typeof next.result.value, string | undefined>(true);
const snapshot: Snapshot = run.snapshot();
StepRun.restore<string>(snapshot).succeed(1, "done");
same<ReturnType<typeof run.free>, void>(true);

// @ts-expect-error: no such option
void runStep({}, () => 1, { retries: 3 });
// @ts-expect-error: a signal is no name
void runStep({}, () => 1, { signal: "stop" });
// @ts-expect-error: a late result is of the handler's type
void runStep({}, () => 1, { onLateResult: ({ value }) => value?.trim() });
