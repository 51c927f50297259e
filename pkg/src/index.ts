/**
 * The default entry. It brings its module along, so that it works without a bundler's help.
 *
 * @module
 */

// Before the module, whose text is best behind all code: gzip looks back only so far.
export * from "./exports.js";

import { module } from "step-retry:module";
import { provideModule } from "./instance.js";
import type { WasmSource } from "./types.js";

provideModule(module);

/** Nothing to do in this entry: it is here so that code can change to `step-retry/slim` and back. */
export async function init(_source?: WasmSource | PromiseLike<WasmSource>): Promise<void> {}

/** Nothing to do in this entry: it is here so that code can change to `step-retry/slim` and back. */
export function initSync(_source?: WasmSource): void {}
