// A page of the docs: each of its examples compiles, and prints what stands below it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";
import ts from "typescript";
import { node, snippets } from "./snippets.mjs";

const root = new URL("../../", import.meta.url);

const STRICT = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2022.d.ts"],
  types: ["node"],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
};

/** Tests the examples of the page at `path`, of which there are at least `atLeast`; returns its text. */
export function testPage(path, atLeast) {
  const page = readFileSync(new URL(path, root), "utf8");
  const examples = ["js", "ts"].flatMap((language) => snippets(page, language));
  test("the page has its examples", () => assert.ok(examples.length >= atLeast));
  for (const { code, prints } of examples) {
    const title = code.split("\n").find((line) => line !== "" && !line.startsWith("import"));
    test(`the example with "${title}" prints what it says`, async () => {
      const { code: script } = await transform(code, { loader: "ts" });
      assert.deepEqual(await node(["--input-type=module", "-"], script), { printed: prints, code: 0 });
    });
  }
  test("the examples compile, with every check that TypeScript has", () => {
    assert.deepEqual(complaints(examples.map(({ code }) => code)), []);
  });
  return page;
}

function complaints(codes) {
  const files = new Map(codes.map((code, index) => [fileURLToPath(new URL(`example-${index}.mts`, root)), code]));
  const host = ts.createCompilerHost(STRICT);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.getSourceFile = (name, ...given) =>
    files.has(name) ? ts.createSourceFile(name, files.get(name), STRICT.target, true) : getSourceFile(name, ...given);
  const found = ts.getPreEmitDiagnostics(ts.createProgram([...files.keys()], STRICT, host));
  return found.map(
    ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
  );
}
