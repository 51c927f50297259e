/**
 * The options that the machine reads, out of those that callers give.
 *
 * @module
 */

import { StepRetryError } from "../errors.js";
import type { StepRunOptions } from "../types.js";

const READ = [
  "name",
  "taskId",
  "jitter",
  "seed",
  "budget",
  "budgetMs",
  "retryAfter",
  "retryAfterCapMs",
  "hash",
  "recordLimit",
] as const;

/** A plain object of them. Without a seed, a run that spreads its waits gets one of its own. */
export function machineOptions(options: StepRunOptions): StepRunOptions {
  if (typeof options !== "object" || options === null) {
    throw new StepRetryError("INVALID_ARGUMENT", "'options' must be an object", { path: ["options"] });
  }
  const read: Record<string, unknown> = {};
  for (const key of READ) {
    if (options[key] !== undefined) read[key] = options[key];
  }
  if (read.seed === undefined) read.seed = Math.random();
  return read;
}
