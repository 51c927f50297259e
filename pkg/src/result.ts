/**
 * The end of a run, from the core's plain values to what callers see.
 *
 * @module
 */

import type { RawResult } from "./border.js";
import { StepError } from "./errors.js";
import type { StepResult } from "./types.js";

/**
 * `raw` with an `Error` for an error. `came` is what never went through the core: the value of an
 * attempt that worked, or what the last one threw.
 */
export function stepResult<T>(raw: RawResult, came: { value?: T; cause?: unknown } = {}): StepResult<T> {
  const { ok, error, record } = raw;
  if (error === undefined) return { ok, ...("value" in came && { value: came.value as T }), record };
  const { cause: last, ...told } = error;
  const step = record.step;
  const cause =
    "cause" in came ? came.cause : last && new StepError({ ...last, step, attempts: told.attempts, record });
  return { ok, error: new StepError({ ...told, step, record, ...(cause !== undefined && { cause }) }), record };
}
