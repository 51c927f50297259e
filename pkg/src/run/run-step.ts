/**
 * Running a step for real.
 *
 * @module
 */

import { StepRetryError } from "../errors.js";
import { call, translate } from "../instance.js";
import { stepResult } from "../result.js";
import type { AttemptContext, RunOptions, StepLimits, StepResult } from "../types.js";
import { Host } from "./host.js";
import { machineOptions } from "./options.js";

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
  const plain = machineOptions(options);
  const host = new Host<T>(attempt, options);
  const cancel = () => host.giveUp(options.signal?.reason);
  options.signal?.addEventListener("abort", cancel);
  try {
    const raw = await call((border) => border.runStep(step, plain, host)).catch((thrown: unknown) => {
      throw translate(thrown);
    });
    if (host.fault !== undefined) throw host.fault;
    return finished(stepResult<T>(raw, whatCame(host, raw.ok)), host, options);
  } finally {
    options.signal?.removeEventListener("abort", cancel);
  }
}

/** The handler's own values, which never went through the machine. */
function whatCame<T>(host: Host<T>, ok: boolean): { value?: T; cause?: unknown } {
  if (ok) return { value: host.current?.value as T };
  const stopped = host.cancellationReason;
  if (stopped !== undefined) return { cause: stopped.reason };
  return host.lastThrown === undefined ? {} : { cause: host.lastThrown.value };
}

function finished<T>(result: StepResult<T>, host: Host<T>, options: RunOptions<T>): StepResult<T> {
  const { record, error } = result;
  if (result.ok) {
    try {
      options.retryBudget?.succeeded(host.now());
    } catch {
      // A budget never changes an outcome that stands.
    }
  }
  if (error !== undefined && options.throwOnFailure === true) {
    const stopped = host.cancellationReason;
    throw record.outcome === "aborted" && stopped !== undefined ? stopped.reason : error;
  }
  return result;
}
