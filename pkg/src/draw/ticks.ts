/**
 * Round times for an axis.
 *
 * @module
 */

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

/** Round times from 0 up to `endMs`, each about ten times the last, from `leastMs` on. */
export function logTicks(endMs: number, leastMs: number): number[] {
  return [0, ...LOG_STEPS.filter((ms) => ms >= leastMs && ms <= endMs)];
}

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

/** The smallest round step that is at least `ms`. */
function roundStep(ms: number): number {
  if (ms <= SECOND / 2) return decimalStep(ms, 1);
  return CLOCK_STEPS.find((step) => step >= ms) ?? decimalStep(ms, DAY);
}

function decimalStep(ms: number, unit: number): number {
  const power = unit * 10 ** Math.floor(Math.log10(ms / unit));
  return [1, 2, 5, 10].map((digit) => digit * power).find((step) => step >= ms) ?? 10 * power;
}
