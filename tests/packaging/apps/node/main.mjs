import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { work } from "./work.js";

const { resolve } = createRequire(import.meta.url);
console.log(await work(() => readFileSync(resolve("step-retry/step_retry.wasm"))));
