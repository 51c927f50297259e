// docs/export.md: each example prints what stands below it, and each table holds all there is.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { EXPORT_TARGETS, IMPORT_SOURCES } from "step-retry/export";
import { node, snippets } from "./snippets.mjs";

const root = new URL("../../", import.meta.url);
const page = readFileSync(new URL("docs/export.md", root), "utf8");
const types = readFileSync(new URL("pkg/src/export/types.ts", root), "utf8");
const examples = snippets(page, "js");

test("the page has its examples", () => assert.equal(examples.length, 2));

for (const { code, prints } of examples) {
  test(`the example of ${/import \{ (\w+)/.exec(code)[1]} prints what it says`, async () => {
    assert.deepEqual(await node(["--input-type=module", "-"], code), { printed: prints, code: 0 });
  });
}

/** The words in the first column of the last table under a heading. */
function column(heading) {
  const section = page.split(`\n## ${heading}\n`)[1].split("\n## ")[0];
  const table = section.split(/\n\n(?=\| )/).at(-1);
  return Array.from(table.matchAll(/^\| (`.*?`) +\|/gm), ([, cell]) => cell.match(/[\w-]+/g)).flat();
}

/** The words of a union of texts in the types. */
function union(name) {
  const [, body] = new RegExp(`export type ${name} =([^;]*);`).exec(types);
  return body.match(/"[^"]+"/g).map((word) => word.slice(1, -1));
}

test("the tables have every target, verdict, code and note, and no other", () => {
  assert.deepEqual(column("Engines"), [...EXPORT_TARGETS]);
  assert.deepEqual(column("Verdicts"), union("ExportVerdict"));
  assert.deepEqual(column("Codes"), union("LossCode"));
  assert.deepEqual(column("From others"), union("NoteCode"));
  for (const source of IMPORT_SOURCES) assert.ok(page.includes(`\`${source}\``), source);
});
