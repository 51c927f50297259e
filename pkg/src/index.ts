/**
 * The default entry: the module's bytes are inside and are compiled at the first call, so that it
 * works wherever JavaScript does, without a bundler's help.
 *
 * @module
 */

import { text } from "step-retry:bytes";
import { decode } from "./bytes.js";
import { compile, provideModule } from "./instance.js";
import type { WasmSource } from "./types.js";

provideModule(() => compile(decode(text)));

export * from "./exports.js";

/** Nothing to do in this entry: it is here so that code can change to `step-retry/slim` and back. */
export async function init(_source?: WasmSource | PromiseLike<WasmSource>): Promise<void> {}

/** Nothing to do in this entry: it is here so that code can change to `step-retry/slim` and back. */
export function initSync(_source?: WasmSource): void {}
