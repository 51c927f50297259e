/**
 * Planning and running without the checker of workflow files: the same names as in the default
 * entry, for less than half its size.
 *
 * @module
 */

// Before the module, whose text is best behind all code: gzip looks back only so far.
export * from "./run-exports.js";

import { module } from "step-retry:module";
import { provideModule } from "./instance.js";

provideModule(module);
