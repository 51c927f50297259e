/**
 * What a step's limits will do: plain values in, plain values out.
 *
 * @module
 */

import { call } from "./instance.js";
import { stepResult } from "./result.js";
import type {
  Plan,
  PlanOptions,
  PlanRow,
  PlanRowsOptions,
  SimulatedOutcome,
  SimulateOptions,
  StepLimits,
  StepResult,
} from "./types.js";

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
