/**
 * What a step's limits will do: plain values in, plain values out.
 *
 * @module
 */

import { explanation, WAITS_LISTED } from "./draw/words.js";
import { StepRetryError } from "./errors.js";
import { call } from "./instance.js";
import { stepResult } from "./result.js";
import type {
  PercentileMethod,
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
  return call((border) => {
    const plan = border.plan(step, options);
    const percents = readPercentiles(options);
    if (percents === undefined) return plan;
    const [method, numbers] = taken(border.percentiles(step, options, percents, false), 0, percents.length * 2 + 2);
    const ends = numbers.slice(percents.length + 1);
    const values = Array.from(percents, (percentile, index) => {
      const end = ends[index] as number;
      return { percentile, totalWaitMs: numbers[index] as number, endMs: Number.isNaN(end) ? null : end };
    });
    return { ...plan, percentiles: { method, values } };
  });
}

/**
 * A page of a plan's attempts, one row each.
 *
 * @throws As {@link plan} does.
 */
export function planRows(step: StepLimits, options?: PlanRowsOptions): PlanRow[] {
  return call((border) => {
    const rows = border.planRows(step, options);
    const percents = readPercentiles(options);
    if (percents === undefined) return rows;
    const told = border.percentiles(step, options, percents, true);
    return rows.map((row, index) => {
      const [method, percentiles] = taken(told, index * (percents.length + 1), percents.length + 1);
      return { ...row, waitBeforeMs: { ...row.waitBeforeMs, percentiles, method } };
    });
  });
}

/** A list of the core's percentiles: how they were found, and the numbers after that. */
function taken(told: Float64Array, from: number, length: number): [PercentileMethod, number[]] {
  const [sampled, ...numbers] = told.subarray(from, from + length);
  return [sampled === 0 ? "exact" : "sampled", numbers];
}

const MOST_PERCENTILES = 100;

/** The percentiles that are asked for; `undefined` where none are. */
function readPercentiles(options: { percentiles?: readonly number[] | undefined } = {}): Float64Array | undefined {
  const { percentiles } = options;
  if (percentiles === undefined) return undefined;
  const fits = (percent: unknown) => typeof percent === "number" && percent >= 0 && percent <= 100;
  if (Array.isArray(percentiles) && percentiles.length <= MOST_PERCENTILES && percentiles.every(fits)) {
    return percentiles.length === 0 ? undefined : Float64Array.from(percentiles);
  }
  throw new StepRetryError(
    "INVALID_ARGUMENT",
    `'options.percentiles' must be an array of at most ${MOST_PERCENTILES} numbers, 0 to 100 each`,
    { path: ["options", "percentiles"] },
  );
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
