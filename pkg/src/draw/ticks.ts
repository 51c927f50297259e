/**
 * Round times for an axis.
 *
 * @module
 */

import { duration } from "./duration.js";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Steps that read well between a second and a day; below and above, 1, 2 and 5 times a power of ten do. */
const CLOCK_STEPS = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
];

/** Round times from 0 up to `endMs` (above 0), at most `most` steps apart. */
export function ticks(endMs: number, most: number): number[] {
  const step = roundStep(endMs / most);
  return Array.from({ length: Math.floor(endMs / step) + 1 }, (_, index) => index * step);
}

/** Round times from 0 up to `endMs` for an axis `room` pixels long: as many as there is room to name. */
export function namedTicks(endMs: number, room: number): number[] {
  for (let most = Math.floor(room / CLOSEST); most > 2; most--) {
    const marks = ticks(endMs, most);
    const apart = (room * (marks[1] ?? endMs)) / endMs;
    if (marks.every((ms, at) => spacing(ms, marks[at - 1] ?? 0) <= apart)) return marks;
  }
  return ticks(endMs, 2);
}

/** Round times from 0 up to `endMs` for a logarithmic axis, where `at` says which pixel is whose: as {@link namedTicks}. */
export function namedLogTicks(endMs: number, at: (ms: number) => number): number[] {
  const named = [0];
  for (const ms of [...LOG_STEPS, ...BETWEEN]) {
    if (ms <= endMs && named.every((other) => Math.abs(at(ms) - at(other)) >= spacing(ms, other))) named.push(ms);
  }
  return named.sort((a, b) => a - b);
}

/** What the axis calls a time. */
export function tickName(ms: number): string {
  return ms === 0 ? "0" : duration(ms);
}

/** How many pixels two times must lie apart for their names to stand side by side. */
function spacing(ms: number, other: number): number {
  return ((tickName(ms).length + tickName(other).length) / 2) * CHARACTER + GAP;
}

const CHARACTER = 7;
const GAP = 14;
/** Even where names are short, more lines than this make a grid of it. */
const CLOSEST = 48;

/** A whole number that is at least `value` (above 0), with a 5 or nothing after its first digit. */
export function roundUp(value: number): number {
  const whole = Math.ceil(value);
  const power = 10 ** Math.floor(Math.log10(whole));
  return whole < 10 ? whole : (Math.ceil((2 * whole) / power) / 2) * power;
}

/** Times that read well and lie about a power of ten apart. */
const LOG_STEPS = [
  ...[1, 10, 100, SECOND, 10 * SECOND, MINUTE, 10 * MINUTE],
  ...[HOUR, 6 * HOUR, DAY, 10 * DAY, 100 * DAY, 1000 * DAY, 10_000 * DAY, 100_000 * DAY],
];

/** Those that do where there is room for more. */
const BETWEEN = [
  ...[2, 5, 20, 50, 200, 500],
  ...[2, 5, 30].flatMap((count) => [count * SECOND, count * MINUTE]),
  ...[2 * HOUR, 12 * HOUR],
  ...[2, 5, 20, 50, 200, 500].map((count) => count * DAY),
];

/** The smallest round step that is at least `ms`. */
function roundStep(ms: number): number {
  if (ms <= SECOND / 2) return decimalStep(ms, 1);
  return CLOCK_STEPS.find((step) => step >= ms) ?? decimalStep(ms, DAY);
}

function decimalStep(ms: number, unit: number): number {
  const power = unit * 10 ** Math.floor(Math.log10(ms / unit));
  return [1, 2, 5, 10].map((digit) => digit * power).find((step) => step >= ms) ?? 10 * power;
}
