// The diff of --dry-run.

import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSource } from "./source.mjs";

const { unifiedDiff } = await loadSource("pkg/src/cli/diff.ts");

const lines = (...texts) => texts.map((text) => `${text}\n`).join("");

test("nothing changed: nothing to show", () => {
  assert.deepEqual(unifiedDiff("w.yaml", "a\n", "a\n"), []);
});

test("a changed line stands among three lines on each side", () => {
  const before = lines("1", "2", "3", "4", "5", "6", "7", "8", "9");
  assert.deepEqual(unifiedDiff("w.yaml", before, before.replace("5", "five")), [
    "--- w.yaml",
    "+++ w.yaml",
    "@@ -2,7 +2,7 @@",
    " 2",
    " 3",
    " 4",
    "-5",
    "+five",
    " 6",
    " 7",
    " 8",
  ]);
});

test("changes far apart are hunks of their own, near ones share one", () => {
  const before = lines(..."abcdefghijklmnopqrst");
  const heads = (after) => unifiedDiff("w", before, after).filter((line) => line.startsWith("@@"));
  assert.deepEqual(heads(before.replace("a\n", "").replace("t\n", "T\n")), ["@@ -1,4 +1,3 @@", "@@ -17,4 +16,4 @@"]);
  assert.deepEqual(heads(before.replace("a\n", "A\n").replace("h\n", "H\n")), ["@@ -1,11 +1,11 @@"]);
});

test("an empty side is named by the line before it", () => {
  assert.deepEqual(unifiedDiff("w", "", "a\n").slice(2), ["@@ -0,0 +1,1 @@", "+a"]);
  assert.deepEqual(unifiedDiff("w", "a\n", "").slice(2), ["@@ -1,1 +0,0 @@", "-a"]);
});

test("a last line without a break, and a changed kind of break, are changes", () => {
  assert.deepEqual(unifiedDiff("w", "a", "a\n").slice(3), ["-a\n\\ No newline at end of file", "+a"]);
  assert.deepEqual(unifiedDiff("w", "a\r\n", "a\n").slice(3), ["-a\r", "+a"]);
});

test("whatever the texts: the diff, applied to the one, gives the other", () => {
  let state = 7;
  const random = (below) => {
    state = (state * 48271) % 2147483647;
    return state % below;
  };
  const text = () => lines(...Array.from({ length: random(24) }, () => "abc"[random(3)]));
  for (let round = 0; round < 2000; round++) {
    const [before, after] = [text(), text()];
    assert.equal(applied(unifiedDiff("w", before, after), before), after);
  }
});

/** `before` with a diff applied as `patch` would: by its line numbers, every kept and removed line being there. */
function applied(diff, before) {
  const old = before.split("\n").slice(0, -1);
  const made = [];
  let next = 0;
  for (const line of diff.slice(2)) {
    const head = line.match(/^@@ -(\d+),(\d+) /);
    if (head !== null) {
      const start = Number(head[2]) === 0 ? Number(head[1]) : Number(head[1]) - 1;
      made.push(...old.slice(next, start));
      next = start;
      continue;
    }
    if (line[0] !== "+") assert.equal(old[next++], line.slice(1));
    if (line[0] !== "-") made.push(line.slice(1));
  }
  return lines(...made, ...old.slice(next));
}
