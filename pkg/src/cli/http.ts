/**
 * An attempt that is an HTTP GET.
 *
 * @module
 */

import { fetchAttempt } from "../index.js";
import type { AttemptContext } from "../types.js";

/** What a GET came back with. */
export interface HttpOutput {
  status: number;
  bytes: number;
}

/** Gets `url`, body and all, within an attempt. */
export function httpGet(url: URL): (context: AttemptContext) => Promise<HttpOutput> {
  const get = fetchAttempt(url, undefined, { readBody: true });
  return async (context) => {
    const response = await get(context);
    return { status: response.status, bytes: (await response.arrayBuffer()).byteLength };
  };
}
