/**
 * The entry for hosts that compile no bytes but import modules, as Cloudflare Workers do.
 *
 * @module
 */

import module from "../step_retry.wasm";
import { provideModule } from "./instance.js";
import type { WasmSource } from "./types.js";

provideModule(() => module);

export * from "./exports.js";

/** Nothing to do in this entry: it is here so that code can change to `step-retry/slim` and back. */
export async function init(_source?: WasmSource | PromiseLike<WasmSource>): Promise<void> {}

/** Nothing to do in this entry: it is here so that code can change to `step-retry/slim` and back. */
export function initSync(_source?: WasmSource): void {}
