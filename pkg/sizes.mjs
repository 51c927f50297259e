// Holds the built files against `budget.json`: gzipped bytes at most. Prints both, and fails above.

import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const folder = new URL("./", import.meta.url);
const budget = JSON.parse(readFileSync(new URL("budget.json", folder), "utf8"));

for (const [file, limit] of Object.entries(budget.gzip)) {
  const size = gzipSync(readFileSync(new URL(file, folder)), { level: 9 }).length;
  console.log(`       ${(size / 1000).toFixed(1).padStart(7)} kB  ${file} gzipped, of at most ${limit / 1000} kB`);
  if (size > limit) process.exitCode = 1;
}
