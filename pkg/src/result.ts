/**
 * The end of a run, from the core's plain values to what callers see.
 *
 * @module
 */

import type { RawResult } from "./border.js";
import { StepError } from "./errors.js";
import type { StepResult } from "./types.js";

/** `raw` with an `Error` for an error. */
export function stepResult(raw: RawResult): StepResult {
  const { error, ...rest } = raw;
  return error === undefined ? rest : { ...rest, error: new StepError({ ...error, record: raw.record }) };
}
