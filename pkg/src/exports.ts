/**
 * What every entry of the package exports, whichever way it gets its module.
 *
 * @module
 */

export { delays, plan, planRows, simulate, validate, version } from "./api.js";
export { isStepError, isStepRetryError, StepError, StepRetryError } from "./errors.js";
export type * from "./types.js";
