/**
 * A policy in other engines' words, and out of them: plain values in, plain values out.
 *
 * @module
 */

import { given, givenOptions, givenStep, write } from "../given.js";
import { call } from "../instance.js";
import type { StepLimits } from "../types.js";
import type { ExportOptions, ExportTarget, ImportSource, PolicyExport, PolicyImport } from "./types.js";

/**
 * What a step's limits become on another engine, and what is lost on the way. The engine's waits are
 * compared with the step's own one by one: settings under which all of them are equal come first, code
 * that makes them equal next, the nearest settings last.
 *
 * @param step The limits as in a workflow file, or the whole step.
 * @throws `StepRetryError` with `INVALID_ARGUMENT` for a target that there is not; with the file's own
 * code and text for limits that a file may not hold.
 */
export function exportPolicy(step: StepLimits, target: ExportTarget, options?: ExportOptions): PolicyExport {
  return call((border) => border.exportPolicy(write(border, given(target, 0), givenOptions(options), givenStep(step))));
}

/**
 * The limits that a policy of another engine or library means, and what to know about them. A count
 * means what it means there: three retries are four attempts.
 *
 * @param value The policy as plain data; functions in it are named in the notes.
 * @throws `StepRetryError` with `INVALID_ARGUMENT` and the path of a value that the other side would
 * not take either, or for a source that there is not.
 */
export function importPolicy(source: ImportSource, value: unknown): PolicyImport {
  return call((border) => border.importPolicy(write(border, given(source, 0), given(value))));
}
