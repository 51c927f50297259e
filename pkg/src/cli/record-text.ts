/**
 * A record in the form of the reference's own `inspect`.
 *
 * @module
 */

import type { AttemptRecord, StepRecord } from "../types.js";

/** Digits of a hash that are shown. */
const HASH_DIGITS = 8;

/** The step, then a line for each attempt: `(attempt 2/3)  error   1002ms   hash: 44136fa3`. */
export function inspect(record: StepRecord): string[] {
  return [`  1. ${record.step}`, ...record.attempts.map(attemptLine)];
}

function attemptLine(attempt: AttemptRecord): string {
  const hash = attempt.evidence_hash === undefined ? "" : `   hash: ${attempt.evidence_hash.slice(0, HASH_DIGITS)}`;
  return `     (attempt ${attempt.attempt}/${attempt.of})  ${attempt.status}   ${Math.round(attempt.duration_ms)}ms${hash}`;
}
