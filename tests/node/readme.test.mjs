// What the READMEs say is so: each snippet runs and prints what is written below it.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "./command.mjs";
import { blocks, node, snippets } from "./snippets.mjs";

for (const path of ["README.md", "pkg/README.md"]) {
  const found = snippets(await readFile(join(ROOT, path), "utf8"), "js");

  test(`${path} has snippets`, () => assert.ok(found.length >= 2));

  for (const { code, prints } of found) {
    test(`${path}: the snippet that begins "${code.split("\n")[0]}" prints what it says`, async () => {
      const type = code.includes('require("') ? "commonjs" : "module";
      assert.deepEqual(await node([`--input-type=${type}`, "-"], code), { printed: prints, code: 0 });
    });
  }
}

test("each line of the demo that README.md shows is one that the demo prints, but for times and ports", async () => {
  const { printed, code } = await node(["examples/demo.mjs"]);
  assert.equal(code, 0, printed);
  const timeless = (text) => text.replace(/\d[\d.]*( ?m?s\b)/g, "N$1").replace(/:\d{4,5}\//, ":PORT/");
  const lines = new Set(printed.split("\n").map(timeless));
  const [shown] = blocks(await readFile(join(ROOT, "README.md"), "utf8"), "text");
  assert.deepEqual(
    shown.split("\n").filter((line) => !lines.has(timeless(line))),
    [],
  );
});
