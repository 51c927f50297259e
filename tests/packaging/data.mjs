// The matrix as data.

import { readFileSync } from "node:fs";

const read = (name) => JSON.parse(readFileSync(new URL(`${name}.json`, import.meta.url), "utf8"));

export const data = {
  /** One app in one environment each. */
  rows: read("rows"),
  /** The entries of the package, and which parts of `program.js` each is asked to do. */
  entries: read("entries"),
  /** What each part tells. */
  expected: read("expected"),
};
