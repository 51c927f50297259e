/**
 * What the default entry and `step-retry/slim` export, whichever way they get their module.
 *
 * @module
 */

export * from "./run-exports.js";
export { validate } from "./validate.js";
