/**
 * An attempt that is an HTTP request.
 *
 * @module
 */

import { StepRetryError } from "../errors.js";
import type {
  AttemptContext,
  Failure,
  FailureCategory,
  FetchAttemptOptions,
  FetchInit,
  FetchRequest,
  FetchResponse,
} from "../types.js";
import { words } from "./classify.js";
import { httpFailure } from "./http.js";

/** The least that is used of the platform's `Request`. */
interface RequestLike {
  readonly method: string;
  readonly url: string;
  clone(): RequestLike;
}

/** Methods that do no harm when they are done twice (RFC 9110, section 9.2.2). */
const IDEMPOTENT: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]);

/** Codes of a network error after which no request has left this machine, as Node names them. */
const NEVER_SENT: ReadonlySet<unknown> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/**
 * Makes an attempt of a request: it is sent anew for each attempt, within the attempt's signal. It
 * gives the response, whose body is the caller's to read.
 *
 * It fails for a status that is not 2xx as `httpFailure` says, with the server's hint; and for a network
 * that gives no answer with `NETWORK_UNREACHABLE`, which may be tried again. A network failure of a
 * request that is not idempotent (a `POST`) is `ambiguous` once it may have been sent. What is thrown is a
 * {@link FetchError}.
 *
 * @param request What `fetch` takes: a URL or a `Request`.
 * @throws `StepRetryError` with `INVALID_ARGUMENT` for what is no request, and for a `signal` in `init`: the
 * attempt has its own, and yours belongs to `runStep`.
 */
export function fetchAttempt(
  request: FetchRequest,
  init?: FetchInit,
  options: FetchAttemptOptions = {},
): (context: Pick<AttemptContext, "signal">) => Promise<FetchResponse> {
  const prepared = prepare(request, init);
  return async ({ signal }) => {
    const send = (options.fetch ?? fetch) as typeof fetch;
    // Each attempt sends its own copy: a body can be read once.
    const copy = prepared.clone();
    let answer: Response;
    try {
      answer = await send(copy as Request, { signal });
      // Read on the side, the answer keeps it for the caller.
      if (answer.ok && options.readBody === true) await answer.clone().arrayBuffer();
    } catch (thrown) {
      // An attempt that was stopped is nobody's failure.
      throw signal.aborted ? thrown : new FetchError(unreachable(prepared, thrown), { cause: thrown });
    }
    if (answer.ok) return answer;
    // A body that nobody reads keeps its connection.
    if (options.keepBody !== true) await answer.body?.cancel().catch(() => {});
    throw new FetchError(httpFailure(answer.status, answer.headers, options.wallNow?.()), { response: answer });
  };
}

/** What {@link fetchAttempt} throws: a failure, and what it is made of. */
export class FetchError extends Error implements Failure {
  readonly code: string;
  readonly retryable: boolean;
  readonly category?: FailureCategory;
  readonly retryAfterMs?: number;
  /** What the platform's `fetch` threw, where there was no answer. */
  override readonly cause?: unknown;
  /** The answer, where there was one; its body can be read where `keepBody` asked for it. */
  readonly response?: FetchResponse;

  constructor(failure: Failure, from: { cause?: unknown; response?: FetchResponse }) {
    super(failure.message);
    this.name = "FetchError";
    this.code = failure.code;
    this.retryable = failure.retryable;
    if (failure.category !== undefined) this.category = failure.category;
    if (failure.retryAfterMs !== undefined) this.retryAfterMs = failure.retryAfterMs;
    if (from.cause !== undefined) this.cause = from.cause;
    if (from.response !== undefined) this.response = from.response;
  }
}

/** The request, checked before anything is sent: what is wrong with it would look like a network error later. */
function prepare(request: FetchRequest, init: FetchInit | undefined): RequestLike {
  if ((init as { signal?: unknown } | undefined)?.signal != null) {
    throw new StepRetryError("INVALID_ARGUMENT", "'init.signal' must be left out: give it to runStep", {
      path: ["init", "signal"],
    });
  }
  try {
    return new Request(request as RequestInfo, init as RequestInit);
  } catch (cause) {
    throw new StepRetryError("INVALID_ARGUMENT", `'request' is none that can be sent (${words(cause)})`, {
      path: ["request"],
      cause,
    });
  }
}

function unreachable({ method, url }: RequestLike, thrown: unknown): Failure {
  const cause = (thrown as { cause?: unknown } | null)?.cause;
  const sent = !NEVER_SENT.has((cause as { code?: unknown } | null | undefined)?.code);
  return {
    code: "NETWORK_UNREACHABLE",
    message: `${new URL(url).host} cannot be reached: ${words(cause ?? thrown)}`,
    retryable: true,
    category: sent && !IDEMPOTENT.has(method.toUpperCase()) ? "ambiguous" : "temporary",
  };
}
