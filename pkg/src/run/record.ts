/**
 * Records: as people read them, as one line a job, and back in from JSON.
 *
 * @module
 */

import type { AttemptRecord, JobRecord, StepRecord } from "../types.js";
import { count, either, flag, fromJson, list, nullable, object, oneOf, optional, span, text } from "./shape.js";

/** Digits of a hash that are shown. */
const HASH_DIGITS = 8;

/**
 * A record in the form of the reference's own `inspect`: the step, then a line for each attempt, such as
 * `(attempt 2/3)  error   1002ms   hash: 44136fa3`. The hash is there where `options.hash` asked for it.
 */
export function inspect(record: StepRecord): string {
  return [`  1. ${record.step}`, ...record.attempts.map(attemptLine)].join("\n");
}

function attemptLine({ attempt, of, status, duration_ms, evidence_hash }: AttemptRecord): string {
  const hash = evidence_hash === undefined ? "" : `   hash: ${evidence_hash.slice(0, HASH_DIGITS)}`;
  return `     (attempt ${attempt}/${of})  ${status}   ${Math.round(duration_ms)}ms${hash}`;
}

/** What a job record keeps of a step's. */
export function jobRecord(record: StepRecord): JobRecord {
  const last = record.attempts[record.attempts.length - 1];
  return {
    task_id: record.task_id ?? null,
    step: record.step,
    attempts: last?.attempt ?? 0,
    outcome: record.outcome,
    failure: last?.error ?? null,
    exhausted_by: record.exhausted_by ?? null,
    cost: record.cost,
  };
}

// Functions, so that who reads no records carries no shapes.

const outcome = () => oneOf("succeeded", "failed", "aborted");
const exhaustedBy = () => oneOf("attempts", "total_timeout", "attempt_lost", "retry_after", "retry_budget");
const cost = () => either('a number, 0 or more, or "unknown"', span, oneOf("unknown"));

const error = () =>
  object({
    code: text,
    message: text,
    retryable: flag,
    category: optional(oneOf("temporary", "permanent", "ambiguous", "aborted")),
  });

const attempt = () =>
  object({
    attempt: count,
    of: count,
    status: oneOf("success", "error", "skipped", "lost"),
    started_at_ms: span,
    duration_ms: span,
    error: optional(error()),
    effective_timeout_seconds: nullable(span),
    clipped_to_ms: optional(span),
    wait_before_ms: span,
    late_ms: optional(span),
    cost: optional(span),
    evidence_hash: optional(text),
    exhausted_by: optional(exhaustedBy()),
  });

const stepRecord = () =>
  object({
    step: text,
    task_id: optional(text),
    outcome: outcome(),
    attempts: list(attempt()),
    attempts_omitted: optional(count),
    exhausted_by: optional(exhaustedBy()),
    elapsed_ms: span,
    waited_ms: span,
    cost: cost(),
  });

const job = () =>
  object({
    task_id: nullable(text),
    step: text,
    attempts: count,
    outcome: outcome(),
    failure: nullable(error()),
    exhausted_by: nullable(exhaustedBy()),
    cost: cost(),
  });

/**
 * A step's record, from JSON or from what JSON was parsed to. Keys it does not know are left alone.
 *
 * @throws `StepRetryError` with `INVALID_ARGUMENT` and the path of the first value that no run could have written.
 */
export function readRecord(json: unknown): StepRecord {
  return fromJson(json, stepRecord()) as StepRecord;
}

/** A job's record, as {@link readRecord} reads a step's. */
export function readJobRecord(json: unknown): JobRecord {
  return fromJson(json, job()) as JobRecord;
}
