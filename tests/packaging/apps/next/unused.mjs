// What an unused import leaves in a page: its scripts against those of a page without one.

import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";

/** The bytes of all scripts that a page asks for. */
function bytes(page) {
  const html = readFileSync(`.next/server/app/${page}.html`, "utf8");
  const scripts = new Set([...html.matchAll(/\/_next\/(static\/[^"\\]+\.js)/g)].map(([, path]) => path));
  assert.ok(scripts.size > 0, `${page} has no scripts`);
  return [...scripts].reduce((sum, path) => sum + statSync(`.next/${path}`).size, 0);
}

const left = bytes("unused") - bytes("nothing");
assert.ok(left < 100, `an unused import leaves ${left} bytes`);
console.log(`an unused import leaves ${left} bytes`);
