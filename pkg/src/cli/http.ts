/**
 * An attempt that is an HTTP GET.
 *
 * @module
 */

import { httpFailure } from "../index.js";
import type { AttemptContext, Failure } from "../types.js";

/** What a GET came back with. */
export interface HttpOutput {
  status: number;
  bytes: number;
}

/** Gets `url` within the attempt's signal. Rejects with a {@link Failure} for a bad status or an unreachable network. */
export async function httpGet(url: URL, { signal }: AttemptContext): Promise<HttpOutput> {
  try {
    const response = await fetch(url, { signal });
    if (!response.ok) {
      await response.body?.cancel();
      throw httpFailure(response.status, response.headers);
    }
    return { status: response.status, bytes: (await response.arrayBuffer()).byteLength };
  } catch (error) {
    // The platform reports every network failure as a TypeError, with what happened as its cause.
    if (error instanceof TypeError && !signal.aborted) throw unreachable(url, error);
    throw error;
  }
}

function unreachable(url: URL, error: TypeError): Failure {
  const reason = error.cause instanceof Error ? error.cause.message : error.message;
  return { code: "NETWORK_UNREACHABLE", message: `${url.host} cannot be reached: ${reason}`, retryable: true };
}
