/**
 * The core, made ready piece by piece and compiled beside the page: done at the first call, it would hold the
 * page up. Its bytes come inside a script, so that the page's policy need let nothing be fetched.
 *
 * @module
 */

import { text } from "page:module";
import { init } from "step-retry/slim";
import { decode } from "../../pkg/src/bytes.js";
import { refused } from "../../pkg/src/errors.js";

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
  const bytes = unpacked();
  await init({ ok: true, status: 200, arrayBuffer: () => Promise.resolve(bytes) });
  await pause();
}

/** The module; where it may not be compiled, what decodes it may not be either. */
function unpacked(): ArrayBuffer {
  try {
    return decode(text).slice().buffer;
  } catch (cause) {
    throw refused(cause);
  }
}
