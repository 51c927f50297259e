/**
 * Many at once: what a service sees of workers that fail together, and the totals of many steps.
 *
 * @module
 */

import { module } from "step-retry:module";
import { givenOptions, givenStep, write } from "./given.js";
import { call, provideModule } from "./instance.js";
import { quietly } from "./run/quietly.js";
import type { FleetLoad, FleetOptions, StepLimits } from "./types.js";

provideModule(module);

export { isStepRetryError, StepRetryError } from "./errors.js";
export type * from "./types.js";

/**
 * The load that a service gets from many workers whose calls fail together.
 *
 * Each worker runs `step`; all make their first call at time 0. For `outageMs` every call fails. Then the
 * service takes `capacityPerSecond`, counted in buckets of `bucketMs`: in each, the first calls that fit are
 * served, in the order in which they come, and any other is refused at once. Both failures may be tried again.
 * What a bucket has left is not kept for the next.
 *
 * @throws `StepRetryError` with `INVALID_ARGUMENT` for options out of their range, and for a fleet that would
 * make more than 20 million calls or spread them over more than a million buckets; with the file's own code
 * and text for limits that a file may not hold.
 */
export function simulateFleet(step: StepLimits, options: FleetOptions): FleetLoad {
  const budget = options?.retryBudget;
  const stock = budget && {
    take: (nowMs: number) => quietly(() => budget.take(nowMs)) !== false,
    succeeded: (nowMs: number) => void quietly(() => budget.succeeded(nowMs)),
  };
  return call((border) => border.simulateFleet(write(border, givenOptions(options), givenStep(step)), stock));
}

/**
 * The totals of many steps in one call, as bare numbers.
 *
 * @param steps Six numbers for each step: `timeout_seconds`, then of its retry block `max_attempts`,
 * `backoff` (0 fixed, 1 linear, 2 exponential), `base_delay_ms`, `max_delay_ms` and `total_timeout_seconds`.
 * `NaN` is absent.
 * @returns Four numbers for each step, in ms: the total limit, all waits, the worst case and the latest end, as
 * `budgetMs`, `totalWaitMs`, `worstCaseMs` and `latestEndMs` of a plan.
 * @throws `StepRetryError` with `INVALID_VALUE` for a number that a file may not hold, its `path` with the
 * index of the step; with `INVALID_ARGUMENT` where it is not six numbers for each step.
 */
export function plans(steps: Float64Array): Float64Array {
  return call((border) => border.plans(steps));
}
