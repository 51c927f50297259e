// The place of a problem, as a person at a terminal sees it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSource } from "./source.mjs";

const { excerpt } = await loadSource("pkg/src/cli/excerpt.ts");

/** The excerpt of `wanted` (up to `until`, by default its own end) in `text`, without styles. */
function shown(text, wanted, { until = text.indexOf(wanted) + wanted.length, columns = 80 } = {}) {
  const position = (offset) => {
    const before = text.slice(0, offset).split(/\r\n|\r|\n/);
    return { line: before.length, column: before.at(-1).length + 1, offset };
  };
  const range = { start: position(text.indexOf(wanted)), end: position(until) };
  return excerpt({ path: "w.yaml", text }, range, "red", columns).map((line) =>
    line.map((piece) => piece.text ?? piece).join(""),
  );
}

test("the mark stands under the place, whatever breaks the lines", () => {
  for (const br of ["\n", "\r\n", "\r"]) {
    assert.deepEqual(shown(["id: a", "retry:", "  backof: fixed", ""].join(br), "backof"), [
      "  --> w.yaml:3:3",
      "    3 |   backof: fixed",
      "      |   ^^^^^^",
    ]);
  }
});

test("tabs and wide characters before the place do not move the mark", () => {
  assert.deepEqual(shown("\tx: 🦊 bad", "bad").slice(1), ["    1 |  x: 🦊 bad", "      |       ^^^"]);
});

test("a place of several lines is marked to the end of its first", () => {
  const text = "retry:\n  a: 1\n  b: 2\n";
  assert.deepEqual(shown(text, "retry", { until: text.length }).slice(1), ["    1 | retry:", "      | ^^^^^^"]);
});

test("of a very long line the part around the place is shown", () => {
  const [, source, mark] = shown(`${"x".repeat(1_000_000)}bad${"y".repeat(1_000_000)}`, "bad", { columns: 50 });
  assert.equal(source, `    1 | ${"x".repeat(20)}bad${"y".repeat(19)}`);
  assert.equal(mark, `      | ${" ".repeat(20)}^^^`);
});

test("the start of the text and its end are places too", () => {
  assert.deepEqual(shown("\nid: a", "\n", { until: 0 }).slice(1), ["    1 | ", "      | ^"]);
  assert.deepEqual(shown("id: a\n", "\n", { until: 5 }).slice(1), ["    1 | id: a", "      |      ^"]);
});
