/**
 * What an attempt threw, as the failure that the machine decides by.
 *
 * Only an error that says `retryable: true` is tried again, whatever its class: two copies of a
 * package never share one. Anything else thrown is a plain exception and is not.
 *
 * @module
 */

import type { Failure, FailureCategory } from "../types.js";
import { quietly } from "./quietly.js";

const CATEGORIES: readonly unknown[] = ["temporary", "permanent", "ambiguous", "aborted"] satisfies FailureCategory[];

/** The caller's rule, if it has something to say about `thrown`; else the rule of the reference. */
export function classified(thrown: unknown, classify: ((thrown: unknown) => Failure | undefined) | undefined): Failure {
  const byRule =
    classify &&
    quietly(() =>
      usable(
        quietly(() => classify(thrown)),
        thrown,
      ),
    );
  return byRule ?? quietly(() => usable(marked(thrown), thrown)) ?? plain(thrown);
}

/** A value's own words: an error's message, or the value as text. */
export function words(value: unknown): string {
  return quietly(() => (isRecord(value) && messageOf(value)) || String(value)) ?? "a value that cannot be shown";
}

/** A failure that the core can read, of a value that claims to be one. */
function usable(failure: unknown, thrown: unknown): Failure | undefined {
  if (!isRecord(failure)) return undefined;
  const { code, retryable, category, retryAfterMs } = failure;
  if (typeof code !== "string" || typeof retryable !== "boolean") return undefined;
  return {
    code,
    message: messageOf(failure) ?? words(thrown),
    retryable,
    ...(CATEGORIES.includes(category) && { category: category as FailureCategory }),
    ...(isSpan(retryAfterMs) && { retryAfterMs }),
  };
}

/** An error that says itself whether it may be tried again. */
function marked(thrown: unknown): unknown {
  if (!isRecord(thrown) || typeof thrown.retryable !== "boolean") return undefined;
  const { code, retryable, category, retryAfterMs } = thrown;
  return { code: typeof code === "string" ? code : "ENGINE_HANDLER_FAILED", retryable, category, retryAfterMs };
}

function plain(thrown: unknown): Failure {
  return { code: "ENGINE_HANDLER_FAILED", message: words(thrown), retryable: false, category: "permanent" };
}

function messageOf({ message }: Record<string, unknown>): string | undefined {
  return typeof message === "string" ? message : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

function isSpan(ms: unknown): ms is number {
  return typeof ms === "number" && Number.isFinite(ms) && ms >= 0;
}
