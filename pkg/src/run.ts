/**
 * Planning and running, for half the size of the default entry: the same names, but for the checker of
 * workflow files, `simulate`, and a plan's percentiles.
 *
 * @module
 */

// Before the module, whose text is best behind all code: gzip looks back only so far.
export { plan, planRows } from "./plan.js";
export * from "./run-exports.js";

import { module } from "step-retry:module";
import { provideModule } from "./instance.js";

provideModule(module);
