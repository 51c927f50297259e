/**
 * Policies for other engines, and from them. It has a module of its own, so that nobody else carries
 * it.
 *
 * @module
 */

import { module } from "step-retry:module";
import { provideModule } from "./instance.js";

provideModule(module);

export { isStepRetryError, StepRetryError } from "./errors.js";
export { exportPolicy, importPolicy } from "./export/policy.js";
export { EXPORT_TARGETS, IMPORT_SOURCES } from "./export/targets.js";
export type * from "./export/types.js";
export type { RetryBlock, StepLimits, StepRetryErrorCode, Version } from "./types.js";
export { version } from "./version.js";
