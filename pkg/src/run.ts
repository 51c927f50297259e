/**
 * Planning and running without the checker of workflow files: the same names as in the default
 * entry, for less than half its size.
 *
 * @module
 */

import { module } from "step-retry:module";
import { provideModule } from "./instance.js";

provideModule(module);

export * from "./run-exports.js";
