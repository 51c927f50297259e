/**
 * The bounded retry of a plain script: a few attempts, a time after which no other one starts.
 *
 * @module
 */

import { StepRetryError } from "../errors.js";
import type { BoundedPolicy, RunOptions, StepLimits } from "../types.js";

/** What each number is, and the least and the default of it. */
const NUMBERS = {
  max_attempts: {
    standard: 3,
    demand: "a whole number, 1 or more",
    allows: (n: number) => Number.isInteger(n) && n >= 1,
  },
  max_elapsed: { standard: 10, demand: "a number of seconds above 0", allows: (n: number) => n > 0 },
  base_delay: { standard: 0.5, demand: "a number of seconds, 0 or more", allows: (n: number) => n >= 0 },
  delay_cap: { standard: 2, demand: "a number of seconds, 0 or more", allows: (n: number) => n >= 0 },
} as const;

/**
 * The step and options for four numbers: at most `max_attempts` calls, waits that double from
 * `base_delay` up to `delay_cap` seconds, and no call that would start `max_elapsed` seconds or more
 * after the first. A running call is never cut: give it a limit of its own.
 *
 * @throws `StepRetryError` with `INVALID_ARGUMENT` for a number that no run could use.
 */
export function fromBounded(policy: BoundedPolicy = {}): {
  /** The step's limits. */
  step: StepLimits;
  /** The options that go with them. */
  options: Pick<RunOptions, "budget" | "budgetMs">;
} {
  const read = (key: keyof typeof NUMBERS): number => {
    const { standard, demand, allows } = NUMBERS[key];
    const number = policy[key] ?? standard;
    if (typeof number !== "number" || !Number.isFinite(number) || !allows(number)) {
      throw new StepRetryError("INVALID_ARGUMENT", `'${key}' must be ${demand}`, { path: [key] });
    }
    return number;
  };
  return {
    step: {
      retry: {
        max_attempts: read("max_attempts"),
        backoff: "exponential",
        base_delay_ms: read("base_delay") * 1000,
        max_delay_ms: read("delay_cap") * 1000,
      },
    },
    options: { budget: "gate", budgetMs: read("max_elapsed") * 1000 },
  };
}
