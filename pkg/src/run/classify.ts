/**
 * What an attempt threw, as the failure that the machine decides by.
 *
 * Only an error that says `retryable: true` is tried again, whatever its class: two copies of a
 * package never share one. Anything else thrown is a plain exception and is not.
 *
 * @module
 */

import type { Failure, FailureCategory } from "../types.js";

const CATEGORIES: readonly FailureCategory[] = ["temporary", "permanent", "ambiguous", "aborted"];

/** The caller's rule, if it has something to say about `thrown`; else the rule of the reference. */
export function classified(thrown: unknown, classify: ((thrown: unknown) => Failure | undefined) | undefined): Failure {
  return (classify && attempted(() => usable(classify(thrown)))) ?? attempted(() => byMark(thrown)) ?? plain(thrown);
}

/** A value's own words: an error's message, or the value as text. */
export function words(value: unknown): string {
  return (
    attempted(() => (isRecord(value) && typeof value.message === "string" ? value.message : String(value))) ??
    "a value that cannot be shown"
  );
}

/** A failure that the core can read, of a value that claims to be one. */
function usable(failure: Failure | undefined): Failure | undefined {
  if (!isRecord(failure) || typeof failure.code !== "string" || typeof failure.retryable !== "boolean")
    return undefined;
  const { code, retryable, category, retryAfterMs } = failure;
  return {
    code,
    message: words(failure),
    retryable,
    ...(CATEGORIES.includes(category as FailureCategory) && { category: category as FailureCategory }),
    ...(isSpan(retryAfterMs) && { retryAfterMs }),
  };
}

/** The failure of an error that says itself whether it may be tried again. */
function byMark(thrown: unknown): Failure | undefined {
  if (!isRecord(thrown) || typeof thrown.retryable !== "boolean") return undefined;
  const code = typeof thrown.code === "string" ? thrown.code : "ENGINE_HANDLER_FAILED";
  return usable({ ...pick(thrown), code, message: words(thrown), retryable: thrown.retryable });
}

function pick({ category, retryAfterMs }: Record<string, unknown>): Pick<Failure, "category" | "retryAfterMs"> {
  return { category: category as FailureCategory, retryAfterMs: retryAfterMs as number };
}

function plain(thrown: unknown): Failure {
  return { code: "ENGINE_HANDLER_FAILED", message: words(thrown), retryable: false, category: "permanent" };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

function isSpan(ms: unknown): ms is number {
  return typeof ms === "number" && Number.isFinite(ms) && ms >= 0;
}

/** What `look` finds; nothing where looking throws, as a getter or a hook may. */
function attempted<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
