// docs/run.md: each example compiles and prints what stands below it, and each table holds all there is.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { testPage } from "./docs-page.mjs";

const root = new URL("../../", import.meta.url);
const page = testPage("docs/run.md", 9);
const types = readFileSync(new URL("pkg/src/types.ts", root), "utf8");

/** The first column of the table under a heading. */
function column(heading) {
  const section = page.split(`\n## ${heading}\n`)[1].split("\n## ")[0];
  return Array.from(section.matchAll(/^\| `([^`]+)`/gm), ([, word]) => word);
}

test("the table of options has every option of runStep and no other", () => {
  const fields = (name) => {
    const [, body] = new RegExp(`export interface ${name}(?:<[^>]*>)?(?: extends \\w+)? \\{(.*?)\\n\\}`, "s").exec(
      types,
    );
    return Array.from(body.matchAll(/^ {2}(\w+)\?:/gm), ([, field]) => field);
  };
  const all = ["RunOptions", "DriveOptions", "LimitOptions"].flatMap(fields);
  assert.deepEqual(column("Options").sort(), all.sort());
});

test("the table of codes has every code of a failure that the core knows", () => {
  const core = readFileSync(new URL("src/failure.rs", root), "utf8");
  const codes = Array.from(core.matchAll(/pub const \w+: &str = "(\w+)";/g), ([, code]) => code);
  assert.ok(codes.length >= 9);
  assert.deepEqual(
    codes.filter((code) => !column("Codes").includes(code)),
    [],
  );
});
