// A user's program in ESM: compiled against the package's declarations, never run.

import {
  type Clock,
  type Decision,
  delays,
  explain,
  fromBounded,
  httpFailure,
  type init,
  isStepError,
  isStepRetryError,
  type Plan,
  parseRetryAfter,
  plan,
  planRows,
  type Report,
  runStep,
  type SimulatedOutcome,
  type Snapshot,
  type StepLimits,
  StepRetryError,
  StepRun,
  simulate,
  validate,
  type version,
} from "step-retry";
import { type FleetLoad, type plans, simulateFleet } from "step-retry/fleet";
import * as slim from "step-retry/slim";

/** Compiles only when the two types are the same. */
type Same<A, B> = [A, B] extends [B, A] ? true : never;
const same = <A, B>(_same: Same<A, B>): void => undefined;

const step: StepLimits = { timeout_seconds: 5, idempotent: true, retry: { max_attempts: 3, backoff: "linear" } };
const report: Report = validate("id: w", { strict: true });
for (const { code, range, fixes, suggestion } of report.diagnostics) {
  same<typeof suggestion, string | undefined>(true);
  const place: string = `${code} ${range.start.line}:${range.start.column} ${fixes.length}`;
  place.trim();
}
const planned: Plan = plan(step, { innerAttempts: 3, jitter: "full", budget: "gate", budgetMs: 0.5 });
same<typeof planned.worstCaseMs, number | null>(true);
same<typeof planned.budgetSource, "declared" | "computed" | "none">(true);
planRows(step, { from: 1, count: 10 }).map((row) => row.waitBeforeMs.expected + row.startMs);
explain(step, { jitter: "full", innerAttempts: { SDK: 4, proxy: 2 } }).trim();
const { percentiles } = plan(step, { percentiles: [50, 99], assume: 10 });
percentiles?.values.map(({ percentile, totalWaitMs, endMs }) => percentile + totalWaitMs + (endMs ?? 0));
const load: FleetLoad = simulateFleet(step, {
  workers: 10,
  outageMs: 0,
  capacityPerSecond: 5,
  retryBudget: { take: () => true, succeeded: () => {} },
});
same<typeof load.overload, number | null>(true);
same<ReturnType<typeof plans>, Float64Array>(true);
delays(step, 3).map((delay) => delay * 2);

const outcomes: SimulatedOutcome[] = [
  { result: "retryable", retryAfterMs: 100 },
  { result: "hang" },
  { result: "ok", ms: 1 },
];
const { error, record } = simulate(step, outcomes, { seed: 7, retryAfter: "clamp", retryAfterCapMs: 1000 });
same<typeof record.cost, number | "unknown">(true);
if (error !== undefined && isStepError(error)) error.record.attempts.map((attempt) => attempt.clipped_to_ms ?? 0);

const thrown: unknown = new StepRetryError("INVALID_ARGUMENT", "no");
if (isStepRetryError(thrown)) thrown.path?.join(".");

same<typeof slim.validate, typeof validate>(true);
same<typeof slim.init, typeof init>(true);
void slim.init(new ArrayBuffer(0));
same<ReturnType<typeof version>["commit"], string | null>(true);

const clock: Clock = { now: () => 0, sleep: async () => {} };
export async function run(): Promise<number> {
  const { ok, value } = await runStep(
    step,
    async ({ attempt, signal, timeoutMs, remainingMs, reportCost, abort }) => {
      same<typeof timeoutMs, number | null>(true);
      same<typeof remainingMs, number | null>(true);
      reportCost(0.25);
      signal.addEventListener("abort", () => {});
      if (signal.aborted) abort("stopped");
      return attempt * 2;
    },
    {
      clock,
      taskId: "t-1",
      jitter: "decorrelated",
      retryAfter: "fail",
      classify: (thrown) => (thrown === 503 ? httpFailure(503, { "retry-after": "2" }) : undefined),
      onEvent: (event) => {
        if (event.type === "waiting") same<typeof event.ms, number>(true);
      },
      onLateResult: ({ value }) => same<typeof value, number | undefined>(true),
    },
  );
  same<typeof value, number | undefined>(true);
  return ok && value !== undefined ? value : (parseRetryAfter({ "retry-after": "1" }, 0) ?? 0);
}

const machine = new StepRun(step, { seed: 1 });
const decision: Decision = machine.next(0);
if (decision.do === "attempt") {
  machine.begin(0);
  machine.fail(1, { code: "NETWORK_UNREACHABLE", message: "no route", retryable: true });
} else if (decision.do === "done") same<typeof decision.result.ok, boolean>(true);
const snapshot: Snapshot = machine.snapshot();
StepRun.restore(JSON.parse(JSON.stringify(snapshot)) as Snapshot).lost(5);
const bounded = fromBounded({ max_attempts: 3, max_elapsed: 10 });
plan(bounded.step, { budget: "gate" });

// @ts-expect-error: a growth that does not exist
plan({ retry: { backoff: "quadratic" } });
// @ts-expect-error: a typing error in a key
plan({ retry: { max_atempts: 3 } });
// @ts-expect-error: no source
validate({});
// @ts-expect-error: an outcome that does not exist
simulate(step, [{ result: "maybe" }]);
