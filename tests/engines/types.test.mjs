// Exported TypeScript compiles against each engine's own package, with every check that TypeScript has.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { exportPolicy } from "step-retry/export";
import ts from "typescript";
import { STEPS, workFolder } from "./written.mjs";

const TARGETS = [
  "temporal",
  "restate",
  "bullmq",
  "conductor",
  "azure-durable",
  "inngest",
  "trigger-dev",
  "hatchet",
  "pg-boss",
  "graphile-worker",
  "dbos",
];

const OPTIONS = {
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2022.d.ts"],
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: false,
  noImplicitReturns: true,
  noEmit: true,
  // The packages' own declarations are theirs to mend.
  skipLibCheck: true,
};

/** What TypeScript has against the files. */
function problems(files, options) {
  return ts.getPreEmitDiagnostics(ts.createProgram(files, options)).map(({ file, start, messageText }) => {
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1;
    return `${file?.fileName.split("/").at(-1)}:${line}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
}

function written(folder, target) {
  return Object.entries(STEPS).flatMap(([name, step]) => {
    const { text } = exportPolicy(step, target, { name: `pull-${name}` });
    // Temporal keeps what runs in a workflow apart from the rest.
    return text
      .split(/^\/\/ (?=\w+\.ts$)/m)
      .filter((part) => part !== "")
      .map((part, index) => {
        const file = `${folder}${target}-${name}-${index}.mts`;
        writeFileSync(file, part.replace(/^\w+\.ts\n/, ""));
        return file;
      });
  });
}

test("the texts compile", () => {
  const folder = workFolder("types");
  assert.deepEqual(
    problems(
      TARGETS.flatMap((target) => written(folder, target)),
      OPTIONS,
    ),
    [],
  );
});

test("those for Cloudflare compile among its own types", () => {
  const folder = workFolder("types-cloudflare");
  const types = fileURLToPath(new URL("node_modules/@cloudflare/workers-types/index.d.ts", import.meta.url));
  assert.deepEqual(problems([types, ...written(folder, "cloudflare")], { ...OPTIONS, types: [] }), []);
});

test("a setting that an engine does not have would be found", () => {
  const folder = workFolder("types-wrong");
  const { text } = exportPolicy(STEPS.fixed, "bullmq");
  writeFileSync(`${folder}wrong.mts`, text.replace("attempts: 4", "attempt: 4"));
  assert.match(problems([`${folder}wrong.mts`], OPTIONS).join("\n"), /'attempt' does not exist/);
});
