/**
 * Numbers and their units as the platform's own tables write them in English. Nothing is asked of the
 * platform before a number is written.
 *
 * @module
 */

/** The units of time, and the shortest spelling of each that is not taken for something else. */
const UNITS = {
  millisecond: "short",
  second: "narrow",
  minute: "short",
  hour: "narrow",
  day: "narrow",
  year: "long",
} as const;

/** A unit of time. */
export type Unit = keyof typeof UNITS;

const words = new Map<Unit, string>();
let numbers: Intl.NumberFormat | undefined;

/** A number with its digits in groups, and at most three after the point. */
export function count(value: number): string {
  numbers ??= new Intl.NumberFormat("en", { maximumFractionDigits: 3 });
  return numbers.format(value);
}

/** `value` and the word for its unit, always a space apart: `1.5 s`. */
export function quantity(value: number, unit: Unit): string {
  const word =
    words.get(unit) ??
    new Intl.NumberFormat("en", { style: "unit", unit, unitDisplay: UNITS[unit] }).format(2).slice(1).trim();
  words.set(unit, word);
  return `${count(value)} ${word}`;
}
