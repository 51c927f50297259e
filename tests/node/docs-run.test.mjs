// docs/run.md: each example compiles and prints what stands below it, and each table holds all there is.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { node, snippets } from "./snippets.mjs";

const root = new URL("../../", import.meta.url);
const page = readFileSync(new URL("docs/run.md", root), "utf8");
const types = readFileSync(new URL("pkg/src/types.ts", root), "utf8");
const examples = snippets(page, "js");

test("the page has its examples", () => assert.ok(examples.length >= 9));

for (const { code, prints } of examples) {
  const title = code.split("\n").find((line) => line !== "" && !line.startsWith("import"));
  test(`the example with "${title}" prints what it says`, async () => {
    assert.deepEqual(await node(["--input-type=module", "-"], code), { printed: prints, code: 0 });
  });
}

test("the examples compile, with every check that TypeScript has", () => {
  const files = new Map(
    examples.map(({ code }, index) => [fileURLToPath(new URL(`docs-run-${index}.mts`, root)), code]),
  );
  const options = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2022.d.ts"],
    types: ["node"],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.getSourceFile = (name, ...given) =>
    files.has(name) ? ts.createSourceFile(name, files.get(name), options.target, true) : getSourceFile(name, ...given);
  const found = ts.getPreEmitDiagnostics(ts.createProgram([...files.keys()], options, host));
  assert.deepEqual(
    found.map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`),
    [],
  );
});

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
