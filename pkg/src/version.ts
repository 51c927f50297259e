/**
 * Which build this is.
 *
 * @module
 */

import type { Version } from "./types.js";

/** Which build of the package this is. */
export function version(): Version {
  return { version: PACKAGE_VERSION, commit: PACKAGE_COMMIT === "" ? null : PACKAGE_COMMIT };
}
