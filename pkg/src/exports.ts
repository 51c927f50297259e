/**
 * What every entry of the package exports, whichever way it gets its module.
 *
 * @module
 */

export { delays, plan, planRows, simulate, validate, version } from "./api.js";
export { isStepError, isStepRetryError, StepError, StepRetryError } from "./errors.js";
export { fromBounded } from "./run/bounded.js";
export { httpFailure, parseRetryAfter } from "./run/http.js";
export { runStep } from "./run/run-step.js";
export { StepRun } from "./run/step-run.js";
export type * from "./types.js";
