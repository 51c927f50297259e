/**
 * Checking and planning: plain values in, plain values out.
 *
 * @module
 */

import { StepRetryError } from "./errors.js";
import { call } from "./instance.js";
import { stepResult } from "./result.js";
import { writeSource } from "./text.js";
import type {
  Plan,
  PlanOptions,
  PlanRow,
  PlanRowsOptions,
  Report,
  SimulatedOutcome,
  SimulateOptions,
  StepLimits,
  StepResult,
  ValidateOptions,
  Version,
} from "./types.js";

/**
 * Checks a workflow file.
 *
 * @param source The file's text, or its bytes in UTF-8. Positions in the report count UTF-16 units of
 * the text.
 * @throws `StepRetryError` with `NOT_UTF8` for bytes that are no UTF-8, `INVALID_ARGUMENT` for other
 * misuse. Whatever is wrong with the file itself is in the report.
 */
export function validate(source: string | Uint8Array, options?: ValidateOptions): Report {
  if (typeof source !== "string" && !isBytes(source)) {
    throw new StepRetryError("INVALID_ARGUMENT", "'source' must be a string or a Uint8Array", { path: ["source"] });
  }
  const strict = flag(options, "strict");
  const recover = flag(options, "recover");
  return call((border) => border.validate(writeSource(border, source), strict, recover, options?.limits));
}

/**
 * What a step's limits will do: attempts, totals, the longest it can take. A billion attempts cost
 * no more than three.
 *
 * @throws `StepRetryError` with the file's own code and text for limits that a file may not hold.
 */
export function plan(step: StepLimits, options?: PlanOptions): Plan {
  return call((border) => border.plan(step, options));
}

/**
 * A page of a plan's attempts, one row each.
 *
 * @throws As {@link plan} does.
 */
export function planRows(step: StepLimits, options?: PlanRowsOptions): PlanRow[] {
  return call((border) => border.planRows(step, options));
}

/**
 * The bare waits in ms: before attempt 2, before attempt 3, and so on.
 *
 * @param count How many at most; whole, 0 or more. There are never more than attempts less one.
 * @throws As {@link plan} does.
 */
export function delays(step: StepLimits, count: number): Float64Array {
  return call((border) => border.delays(step, count));
}

/**
 * A whole run on a virtual clock: nothing waits, nothing is called.
 *
 * @param outcomes What each attempt does; the last one repeats. At least one.
 * @throws As {@link plan} does.
 */
export function simulate(
  step: StepLimits,
  outcomes: readonly SimulatedOutcome[],
  options?: SimulateOptions,
): StepResult {
  return stepResult(call((border) => border.simulate(step, outcomes, options)));
}

/** Which build of the package this is. */
export function version(): Version {
  return { version: PACKAGE_VERSION, commit: PACKAGE_COMMIT === "" ? null : PACKAGE_COMMIT };
}

function flag(options: ValidateOptions | undefined, name: "strict" | "recover"): boolean {
  const value: unknown = options?.[name];
  if (value === undefined || typeof value === "boolean") return value === true;
  throw new StepRetryError("INVALID_ARGUMENT", `'${name}' must be true or false`, { path: [name] });
}

// Bytes of another realm (a test's sandbox, a frame) are no instance of this realm's Uint8Array.
function isBytes(value: unknown): value is Uint8Array {
  return Object.prototype.toString.call(value) === "[object Uint8Array]";
}
