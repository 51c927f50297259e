/**
 * What the default entry and `step-retry/slim` export, whichever way they get their module.
 *
 * @module
 */

export { plan, planRows, simulate } from "./forecast.js";
export * from "./run-exports.js";
export { validate } from "./validate.js";
