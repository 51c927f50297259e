/**
 * Arguments on their way into the module: plain values as one text, of which each is a letter for its kind
 * and what belongs to it (`src/wasm/input.rs` reads it). Of a caller's object no more is taken than is asked
 * for. What no workflow file can hold (a function, a symbol, a big integer), and what lies deeper than asked
 * for, is told as such and refused where a rule wants something else.
 *
 * @module
 */

import type { Border } from "./border.js";
import { utf8Length, writeText } from "./text.js";

/** No argument of ours is nested deeper than this (a snapshot's failures). */
const DEEPEST = 6;

const number = new Float64Array(1);
const bits = new BigUint64Array(number.buffer);

/** Writes values into the module's buffer, and gives their length in bytes. */
export function write(border: Border, ...texts: string[]): number {
  return writeText(border, texts.join(""));
}

/** A value, and what is in it to a depth. */
export function given(value: unknown, depth = DEEPEST): string {
  switch (typeof value) {
    case "boolean":
      return value ? "t" : "f";
    case "number":
      number[0] = value;
      return `n${digits(bits[0] as bigint)}`;
    case "string":
      return `s${text(value)}`;
    case "undefined":
      return "z";
    case "object":
      if (value === null) return "z";
      if (Array.isArray(value)) {
        const items = depth > 0 ? Array.from(value, (item) => given(item, depth - 1)) : [];
        return `[${digits(items.length)}${items.join("")}`;
      }
      return depth > 0 ? fields(Object.entries(value), () => depth - 1) : "o";
    default:
      return "o";
  }
}

/** A step: the three keys that say something about its limits, and all of `retry`. */
export function givenStep(step: unknown): string {
  if (typeof step !== "object" || step === null || Array.isArray(step)) return "z";
  const { timeout_seconds, idempotent, retry } = step as Record<string, unknown>;
  return fields(Object.entries({ timeout_seconds, idempotent, retry }), (key) => (key === "retry" ? 1 : 0));
}

/** Options: plain values by their names; none at all is an empty object. Layers have names of their own. */
export function givenOptions(options: unknown): string {
  if (typeof options !== "object" || options === null || Array.isArray(options)) return given(options ?? {}, 1);
  return fields(Object.entries(options), (key) => (key === "innerAttempts" ? 1 : 0));
}

/** What is there of these fields, each to its depth. */
function fields(entries: [string, unknown][], depth: (key: string) => number): string {
  const there = entries.filter(([, value]) => value !== undefined);
  return `{${digits(there.length)}${there.map(([key, value]) => text(key) + given(value, depth(key))).join("")}`;
}

function text(value: string): string {
  return `${digits(utf8Length(value))}${value}`;
}

/** A whole number, and where it ends. */
function digits(whole: number | bigint): string {
  return `${whole.toString(16)};`;
}
