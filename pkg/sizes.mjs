// Holds the built files against `budget.json`, in gzipped bytes: none may be above its `limit`, the size
// it has already had. Its `goal` is where it has to come down to; what is missing is printed each time.

import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const folder = new URL("./", import.meta.url);
const budget = JSON.parse(readFileSync(new URL("budget.json", folder), "utf8"));
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

for (const [file, { limit, goal }] of Object.entries(budget.gzip)) {
  const size = gzipSync(readFileSync(new URL(file, folder)), { level: 9 }).length;
  const missing = size > goal ? `, ${kilobytes(size - goal)} above the goal of ${kilobytes(goal)}` : "";
  console.log(`       ${kilobytes(size).padStart(10)}  ${file} gzipped, of at most ${kilobytes(limit)}${missing}`);
  if (size > limit) process.exitCode = 1;
}
