/**
 * Writing all limits of a step at once into the file's text, setting by setting: what is said beside a
 * setting that stays, stays too.
 *
 * @module
 */

import type { StepLimits } from "step-retry";
import { hasRetryBlock, type Setting, type StepPlace, writeRetryBlock, writeSetting } from "./yaml-edit.js";

/** The keys of the step itself. */
const OWN = ["timeout_seconds", "idempotent"] as const;

/** `limits` as the lines of a file. */
export function limitLines({ retry, ...own }: StepLimits): string[] {
  const lines = OWN.flatMap((key) => (own[key] === undefined ? [] : [`${key}: ${own[key]}`]));
  return retry === undefined ? lines : [...lines, "retry:", ...blockLines(retry).map((line) => `  ${line}`)];
}

function blockLines(retry: NonNullable<StepLimits["retry"]>): string[] {
  return Object.entries(retry).map(([key, value]) => `${key}: ${value}`);
}

/**
 * `text` with `limits` on the step that `find` finds in it: its `retry` is theirs, of its own keys those that
 * they have. `retryKeys` are all that a `retry` can hold. `undefined` where that cannot be written in place.
 */
export function writeLimits(
  text: string,
  find: (text: string) => StepPlace | undefined,
  { retry, ...own }: StepLimits,
  retryKeys: readonly string[],
): string | undefined {
  let written: string | undefined = text;
  const change = (make: (text: string, step: StepPlace) => string | undefined) => {
    const step = written === undefined ? undefined : find(written);
    written = written === undefined || step === undefined ? undefined : make(written, step);
  };
  const set = (setting: Setting, value: unknown) =>
    change((now, step) => writeSetting(now, step, setting, value === undefined ? undefined : `${value}`));
  for (const key of OWN) if (own[key] !== undefined) set([key], own[key]);
  change((now, step) => {
    if (hasRetryBlock(now, step) === (retry !== undefined)) return now;
    return writeRetryBlock(now, step, retry && blockLines(retry));
  });
  if (retry === undefined) return written;
  const values = new Map<string, unknown>(Object.entries(retry));
  for (const [key, value] of values) set(["retry", key], value);
  for (const key of retryKeys) if (!values.has(key)) set(["retry", key], undefined);
  return written;
}
