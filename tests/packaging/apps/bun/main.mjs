import path from "step-retry/step_retry.wasm" with { type: "file" };
import { work } from "./work.js";

console.log(await work(() => Bun.file(new URL(path, import.meta.url)).arrayBuffer()));
