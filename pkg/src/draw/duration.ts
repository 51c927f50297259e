/**
 * Times as people say them. The words for the units are those of the platform's tables. Their order is ours:
 * `Intl.DurationFormat` writes `2 min, 5s` or `2m 5s`, is not in every browser and not in Node.js 20, and the
 * page, the terminal and the tests are to say the same everywhere.
 *
 * @module
 */

import { quantity, type Unit } from "./numbers.js";
import { FOREVER } from "./texts.js";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/**
 * `ms` (0 or more) in its one or two largest units: `200 ms`, `1.5 s`, `2 min 5 s`, `3 h 20 min`,
 * `4 d 3 h`. Exact to the millisecond below an hour, then rounded to the smaller of the two units.
 */
export function duration(ms: number): string {
  const rounded = ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms);
  if (rounded < SECOND) return quantity(rounded, "millisecond");
  if (rounded < MINUTE) return quantity(rounded / SECOND, "second");
  if (rounded < HOUR) return pair(Math.floor(rounded / MINUTE), "minute", (rounded % MINUTE) / SECOND, "second");
  if (rounded < DAY - MINUTE / 2) return inUnits(Math.round(rounded / MINUTE), 60, "hour", "minute");
  if (rounded < YEAR - HOUR / 2) return inUnits(Math.round(rounded / HOUR), 24, "day", "hour");
  const years = rounded / YEAR;
  return years < 1e6 ? quantity(Math.round(years * 10) / 10, "year") : FOREVER;
}

/** A sentence of the core, which tells times in milliseconds, with its times as people say them. */
export function spoken(sentence: string): string {
  return sentence.replace(/\b(\d+(?:\.\d+)?) (ms|s)\b/g, (_, number: string, unit: string) =>
    duration(Number(number) * (unit === "s" ? SECOND : 1)),
  );
}

/** `text` with each number on the line of its unit. */
export function unbroken(text: string): string {
  return text.replace(/(\d) (?=(?:ms|s|min|h|d|years)\b)/g, "$1\u00a0");
}

function inUnits(all: number, size: number, large: Unit, small: Unit): string {
  return pair(Math.floor(all / size), large, all % size, small);
}

function pair(large: number, largeUnit: Unit, small: number, smallUnit: Unit): string {
  const larger = quantity(large, largeUnit);
  return small === 0 ? larger : `${larger} ${quantity(small, smallUnit)}`;
}
