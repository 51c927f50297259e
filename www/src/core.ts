/**
 * The core, made ready piece by piece and compiled beside the page: done at the first call, it would hold the
 * page up. Its bytes come inside a script, so that the page's policy need let nothing be fetched.
 *
 * @module
 */

import { text } from "page:module";
import { init } from "step-retry/slim";
import { decode } from "../../pkg/src/bytes.js";

/** Lets the browser do what waits. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/**
 * Resolves when the core can be called.
 *
 * @throws `StepRetryError` where the browser does not let it be compiled.
 */
export async function coreReady(): Promise<void> {
  await pause();
  const bytes = decode(text).slice().buffer;
  await init({ ok: true, status: 200, arrayBuffer: () => Promise.resolve(bytes) });
  await pause();
}
