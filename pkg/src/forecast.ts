/**
 * What only those need who look ahead: plans with percentiles under jitter, and whole runs on a virtual clock.
 * `step-retry/run` has neither, nor what they take of the core.
 *
 * @module
 */

import { StepRetryError } from "./errors.js";
import { given, givenOptions, givenStep, write } from "./given.js";
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
    const asked = givenOptions(options) + givenStep(step);
    const plan = border.plan(write(border, asked));
    const percents = readPercentiles(options);
    if (percents === undefined) return plan;
    const told = border.percentiles(write(border, asked, given(percents)), false);
    const [[sampled, waits], [, ends]] = told as [(typeof told)[0], (typeof told)[0]];
    const values = percents.map((percentile, index) => {
      return { percentile, totalWaitMs: waits[index] as number, endMs: ends[index] as number | null };
    });
    return { ...plan, percentiles: { method: method(sampled), values } };
  });
}

/**
 * A page of a plan's attempts, one row each.
 *
 * @throws As {@link plan} does.
 */
export function planRows(step: StepLimits, options?: PlanRowsOptions): PlanRow[] {
  return call((border) => {
    const asked = givenOptions(options) + givenStep(step);
    const rows = border.planRows(write(border, asked));
    const percents = readPercentiles(options);
    if (percents === undefined) return rows;
    const told = border.percentiles(write(border, asked, given(percents)), true);
    return rows.map((row, index) => {
      const [sampled, values] = told[index] as (typeof told)[0];
      const waitBeforeMs = { ...row.waitBeforeMs, percentiles: values as number[], method: method(sampled) };
      return { ...row, waitBeforeMs };
    });
  });
}

function method(sampled: boolean): PercentileMethod {
  return sampled ? "sampled" : "exact";
}

const MOST_PERCENTILES = 100;

/** The percentiles that are asked for; `undefined` where none are. */
function readPercentiles(options: { percentiles?: readonly number[] | undefined } = {}): readonly number[] | undefined {
  const { percentiles } = options;
  if (percentiles === undefined) return undefined;
  const fits = (percent: unknown) => typeof percent === "number" && percent >= 0 && percent <= 100;
  if (Array.isArray(percentiles) && percentiles.length <= MOST_PERCENTILES && percentiles.every(fits)) {
    return percentiles.length === 0 ? undefined : percentiles;
  }
  throw new StepRetryError(
    "INVALID_ARGUMENT",
    `'options.percentiles' must be an array of at most ${MOST_PERCENTILES} numbers, 0 to 100 each`,
    { path: ["options", "percentiles"] },
  );
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
  return stepResult(
    call((border) => border.simulate(write(border, givenOptions(options), givenStep(step), given(outcomes)))),
  );
}
