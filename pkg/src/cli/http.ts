/**
 * An attempt that is an HTTP GET.
 *
 * @module
 */

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
      throw badStatus(response);
    }
    return { status: response.status, bytes: (await response.arrayBuffer()).byteLength };
  } catch (error) {
    // The platform reports every network failure as a TypeError, with what happened as its cause.
    if (error instanceof TypeError && !signal.aborted) throw unreachable(url, error);
    throw error;
  }
}

/** A status that says no: too many calls and a server in trouble may pass, anything else will not. */
function badStatus({ status, headers }: Response): Failure {
  const failure = { message: `the server answered ${status}`, ...serverHint(headers) };
  if (status === 429) return { ...failure, code: "SERVICE_RATE_LIMITED", retryable: true };
  if (status >= 500) return { ...failure, code: "SERVICE_HTTP_5XX", retryable: true };
  return { ...failure, code: "SERVICE_HTTP_4XX", retryable: status === 408 };
}

/** How long the server asks to be left alone: a `Retry-After` in whole seconds. */
function serverHint(headers: Headers): Pick<Failure, "retryAfterMs"> {
  const seconds = headers.get("retry-after");
  return seconds !== null && /^\d+$/.test(seconds) ? { retryAfterMs: Number(seconds) * 1000 } : {};
}

function unreachable(url: URL, error: TypeError): Failure {
  const reason = error.cause instanceof Error ? error.cause.message : error.message;
  return { code: "NETWORK_UNREACHABLE", message: `${url.host} cannot be reached: ${reason}`, retryable: true };
}
