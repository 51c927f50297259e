/**
 * Running a step for real.
 *
 * @module
 */

import type { RawResult } from "../border.js";
import { StepRetryError } from "../errors.js";
import { givenOptions, givenStep, write } from "../given.js";
import { call, internal, translate } from "../instance.js";
import { stepResult } from "../result.js";
import type { AttemptContext, RunOptions, StepLimits, StepResult } from "../types.js";
import { Host } from "./host.js";
import { hostOptions, machineOptions } from "./options.js";

/**
 * Runs `attempt` under a step's limits: again where that can help, never longer than allowed, and
 * with a record of everything that happened.
 *
 * @param step The limits, in the file's own words; a whole step will do.
 * @param attempt Called once for each attempt. It may return a value or a promise; what it throws is
 * tried again only where it says `retryable: true`, or `options.classify` says so.
 * @returns How the step ended. It rejects for misuse, and for a step that did not succeed where
 * `throwOnFailure` asks for it.
 * @throws `StepRetryError` for limits or options that cannot be used.
 */
export async function runStep<T>(
  step: StepLimits,
  attempt: (context: AttemptContext) => T | PromiseLike<T>,
  options: RunOptions<T> = {},
): Promise<StepResult<T>> {
  if (typeof attempt !== "function") {
    throw new StepRetryError("INVALID_ARGUMENT", "'attempt' must be a function", { path: ["attempt"] });
  }
  const { machine, host } = call(() => {
    const machine = machineOptions(options);
    return { machine, host: new Host<T>(attempt, hostOptions(options)) };
  });
  let raw: RawResult;
  try {
    raw = await call((border) => {
      const asked = givenOptions(machine) + givenStep(step);
      host.listen(border);
      border.runStep(write(border, asked), host);
      return border.guard.during(host.result, (fault) => host.collapse(internal(fault)));
    });
  } catch (thrown) {
    throw translate(thrown);
  } finally {
    host.stopListening();
  }
  if (host.fault !== undefined) throw host.fault;
  const result = stepResult<T>(raw, host.whatCame(raw.record.outcome));
  if (result.error !== undefined && host.options.throwOnFailure === true) throw host.rejection(result.error);
  return result;
}
