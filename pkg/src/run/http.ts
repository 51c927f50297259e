/**
 * What an HTTP answer says about trying again.
 *
 * @module
 */

import type { Border, HeaderReader } from "../border.js";
import { StepRetryError } from "../errors.js";
import { call } from "../instance.js";
import { writeText } from "../text.js";
import type { Failure, HeadersLike } from "../types.js";

/**
 * The failure that an HTTP answer is: 429, 408 and 500 and above are worth another attempt, other
 * statuses are not, and the header `x-should-retry` beats both. A server's hint comes along.
 *
 * @param status The HTTP status; whole, 100 to 999.
 * @param headers The answer's headers, as `fetch` gives them or as a plain object.
 * @param nowMs The wall clock, in ms since 1970, for headers that name a moment. Default: now.
 * @throws `StepRetryError` with `INVALID_ARGUMENT`.
 */
export function httpFailure(status: number, headers?: HeadersLike, nowMs: number = Date.now()): Failure {
  if (!Number.isInteger(status) || status < 100 || status > 999) {
    throw new StepRetryError("INVALID_ARGUMENT", "'status' must be an HTTP status", { path: ["status"] });
  }
  checkNow(nowMs);
  const value = headerReader(headers);
  return call((border) => border.httpFailure(status, written(border, value), nowMs));
}

/**
 * The wait that a server asks for, in ms from `nowMs`; `null` where it asks for none, or in words
 * that no document allows. Reads `retry-after-ms`, `Retry-After`, `RateLimit`, `RateLimit-Reset` and
 * `X-RateLimit-Reset`; the first of them that can be read counts.
 *
 * @param nowMs The wall clock, in ms since 1970, for headers that name a moment. Default: now.
 * @throws `StepRetryError` with `INVALID_ARGUMENT`.
 */
export function parseRetryAfter(headers: HeadersLike, nowMs: number = Date.now()): number | null {
  checkNow(nowMs);
  const value = headerReader(headers);
  return call((border) => border.parseRetryAfter(written(border, value), nowMs)) ?? null;
}

function checkNow(nowMs: number): void {
  if (Number.isFinite(nowMs)) return;
  throw new StepRetryError("INVALID_ARGUMENT", "'nowMs' must be a finite number", { path: ["nowMs"] });
}

/** Writes what `value` gives for a header's name. */
function written(border: Border, value: (name: string) => string | undefined): HeaderReader {
  return {
    get(name) {
      const found = value(name);
      return found === undefined ? -1 : writeText(border, found);
    },
  };
}

/** A header's value by its lower-case name. */
function headerReader(headers: HeadersLike | undefined): (name: string) => string | undefined {
  if (headers === undefined) return () => undefined;
  if (typeof headers !== "object" || headers === null) {
    throw new StepRetryError("INVALID_ARGUMENT", "'headers' must be a Headers or an object", { path: ["headers"] });
  }
  if (typeof headers.get === "function") {
    const { get } = headers as { get(name: string): string | null };
    return (name) => text(get.call(headers, name));
  }
  const values = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => text(values.get(name));
}

/** A header's value; several of one name stand in one line, as in HTTP. */
function text(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  return Array.isArray(value) ? value.join(", ") : undefined;
}
