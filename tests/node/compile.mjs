// Generated TypeScript, compiled against the package's declarations.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { ROOT } from "./command.mjs";

const OPTIONS = { strict: true, exactOptionalPropertyTypes: true, module: "NodeNext", target: "ES2020" };

/** Compiles `source` in a folder of its own below `target/`; the test fails with what the compiler says. */
export function compile(name, source, options = {}) {
  const folder = join(ROOT, "target", name);
  const compilerOptions = { ...OPTIONS, types: [], noEmit: true, ...options };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, `${name}.ts`), source);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
  const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
  try {
    execFileSync(process.execPath, [tsc, "--project", "."], { cwd: folder, encoding: "utf8" });
  } catch (error) {
    assert.fail(error.stdout.slice(0, 4000));
  }
}
