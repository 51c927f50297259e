/**
 * What every entry exports that plans and runs, whichever way it gets its module.
 *
 * @module
 */

export { isStepError, isStepRetryError, StepError, StepRetryError } from "./errors.js";
export { delays, explain } from "./plan.js";
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
export { version } from "./version.js";
