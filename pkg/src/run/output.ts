/**
 * An attempt's output as the machine takes a hash of it.
 *
 * @module
 */

import { quietly } from "./quietly.js";

/** The JSON text of `output`; nothing where there is none, as of a cyclic value or a big integer. */
export function outputJson(output: unknown): string | undefined {
  return quietly(() => JSON.stringify(output) ?? "null");
}
