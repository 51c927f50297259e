/**
 * A run's record on a line of time.
 *
 * @module
 */

import { duration } from "../draw/duration.js";
import type { Lane, Outcome, Timeline } from "../draw/timeline.js";
import type { AttemptRecord, Plan, StepRecord } from "../types.js";
import { RUN } from "./texts.js";

/** A limit further out than this many times the last attempt's end would squeeze all else: it is not drawn. */
const LIMIT_REACH = 1.5;

/** Lays the attempts of `record` out; `endMs` is how far the line reaches at least. */
export function recordTimeline(record: StepRecord, plan: Plan, endMs = 0): Timeline {
  const lanes = record.attempts.map(lane);
  const lastEnd = Math.max(endMs, record.elapsed_ms, ...lanes.map((each) => each.endMs));
  const limitMs = plan.budgetMs !== null && plan.budgetMs <= lastEnd * LIMIT_REACH ? plan.budgetMs : null;
  return { lanes, endMs: Math.max(lastEnd, limitMs ?? 0, 1), limitMs };
}

/** What became of an attempt. */
function outcomeOf({ status, error }: AttemptRecord): Outcome {
  if (status === "success") return "ok";
  if (status !== "error" || error?.code === "STEP_ABORTED") return "aborted";
  return error?.code === "STEP_TIMEOUT" ? "timeout" : "failed";
}

function lane(attempt: AttemptRecord): Lane {
  const outcome = outcomeOf(attempt);
  return {
    label: `${attempt.attempt}`,
    waitFromMs: Math.max(0, attempt.started_at_ms - attempt.wait_before_ms - (attempt.late_ms ?? 0)),
    startMs: attempt.started_at_ms,
    endMs: attempt.started_at_ms + attempt.duration_ms,
    clipped: attempt.clipped_to_ms !== undefined,
    reachable: true,
    outcome,
    mark: RUN.marks[outcome],
  };
}

/** The attempts of `record` as cells of a table. */
export function recordCells(record: StepRecord): string[][] {
  return record.attempts.map((attempt) => [
    `${attempt.attempt}`,
    duration(attempt.started_at_ms),
    duration(attempt.duration_ms),
    became(attempt),
  ]);
}

function became(attempt: AttemptRecord): string {
  const clipped = attempt.clipped_to_ms === undefined ? "" : `, ${RUN.clipped(duration(attempt.clipped_to_ms))}`;
  const code = attempt.error === undefined ? "" : ` (${attempt.error.code})`;
  return `${RUN[outcomeOf(attempt)]}${clipped}${code}`;
}
