/**
 * What every entry of the package exports, whichever way it gets its module.
 *
 * @module
 */

export { delays, plan, planRows, simulate, validate, version } from "./api.js";
export { isStepError, isStepRetryError, StepError, StepRetryError } from "./errors.js";
export { fromBounded } from "./run/bounded.js";
export { FetchError, fetchAttempt } from "./run/fetch.js";
export { httpFailure, parseRetryAfter } from "./run/http.js";
export { otel } from "./run/otel.js";
export { inspect, jobRecord, readJobRecord, readRecord } from "./run/record.js";
export { RetryBudget } from "./run/retry-budget.js";
export { runEvents } from "./run/run-events.js";
export { runStep } from "./run/run-step.js";
export { StepRun } from "./run/step-run.js";
export { virtualClock } from "./run/virtual-clock.js";
export type * from "./types.js";
