/**
 * What a step's limits will do: plain values in, plain values out.
 *
 * @module
 */

import { explanation, WAITS_LISTED } from "./draw/words.js";
import { StepRetryError } from "./errors.js";
import { givenOptions, givenStep, write } from "./given.js";
import { call } from "./instance.js";
import type { Plan, PlanOptions, PlanRow, PlanRowsOptions, StepLimits } from "./types.js";

/**
 * What a step's limits will do: attempts, totals, the longest it can take. A billion attempts cost
 * no more than three.
 *
 * @throws `StepRetryError` with the file's own code and text for limits that a file may not hold.
 */
export function plan(step: StepLimits, options?: Omit<PlanOptions, "percentiles">): Plan {
  return call((border) => border.plan(write(border, givenPlain(options), givenStep(step))));
}

/**
 * A page of a plan's attempts, one row each.
 *
 * @throws As {@link plan} does.
 */
export function planRows(step: StepLimits, options?: Omit<PlanRowsOptions, "percentiles">): PlanRow[] {
  return call((border) => border.planRows(write(border, givenPlain(options), givenStep(step))));
}

/** Percentiles take more of the core than `step-retry/run` has. */
function givenPlain(options: PlanOptions | undefined): string {
  if (options?.percentiles === undefined) return givenOptions(options);
  const message = "'options.percentiles' needs the entry step-retry in the place of step-retry/run";
  throw new StepRetryError("INVALID_ARGUMENT", message, { path: ["options", "percentiles"] });
}

/**
 * What a step's limits will do, in one sentence: `Tries up to 3 times, waiting 1 s, then 2 s; stops each
 * try after 30 s; gives up after 2 min at the latest.`
 *
 * @throws As {@link plan} does.
 */
export function explain(step: StepLimits, options?: PlanOptions): string {
  const { name, jitter, budget, budgetMs } = options ?? {};
  const limits = { name, jitter, budget, budgetMs };
  const whole = plan(step, { ...limits, innerAttempts: options?.innerAttempts });
  const first = planRows(step, { ...limits, count: WAITS_LISTED + 1 });
  const last = planRows(step, { ...limits, from: whole.maxAttempts, count: 1 });
  const waits = [...first.slice(1), ...last].map((row) => row.waitBeforeMs);
  return explanation(whole, waits, { retriesTimeouts: step.retry?.on_timeout === true, gate: budget === "gate" });
}

/**
 * The bare waits in ms: before attempt 2, before attempt 3, and so on.
 *
 * @param count How many at most; whole, 0 or more. There are never more than attempts less one.
 * @throws As {@link plan} does.
 */
export function delays(step: StepLimits, count: number): Float64Array {
  return call((border) => border.delays(write(border, "{0;", givenStep(step)), count));
}
