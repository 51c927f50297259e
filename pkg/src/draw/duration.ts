/**
 * Times as people say them.
 *
 * @module
 */

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
  if (rounded < SECOND) return `${rounded} ms`;
  if (rounded < MINUTE) return `${rounded / SECOND} s`;
  if (rounded < HOUR) return pair(Math.floor(rounded / MINUTE), "min", (rounded % MINUTE) / SECOND, "s");
  if (rounded < DAY - MINUTE / 2) return inUnits(Math.round(rounded / MINUTE), 60, "h", "min");
  if (rounded < YEAR - HOUR / 2) return inUnits(Math.round(rounded / HOUR), 24, "d", "h");
  const years = rounded / YEAR;
  return years < 1e6 ? `${Math.round(years * 10) / 10} years` : "over a million years";
}

function inUnits(count: number, size: number, large: string, small: string): string {
  return pair(Math.floor(count / size), large, count % size, small);
}

function pair(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}
