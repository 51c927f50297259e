import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "vitest";
import { work } from "./work.js";

const wasm = createRequire(import.meta.url).resolve("step-retry/step_retry.wasm");

test("the work", { timeout: 60_000 }, async () => {
  console.log(await work(() => readFileSync(wasm)));
});
