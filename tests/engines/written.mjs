// Exported policies as files, where the engines' own packages are found.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { transform } from "esbuild";
import { exportPolicy } from "step-retry/export";

/** A folder for what tests write here; made anew. */
export function workFolder(name) {
  const folder = fileURLToPath(new URL(`.work/${name}/`, import.meta.url));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** The text of an export as a module that is ready to be used. */
export async function imported(folder, target, step, name) {
  const { text } = exportPolicy(step, target, { name });
  const { code } = await transform(text, { loader: "ts", format: "esm", target: "node20" });
  const file = `${folder}${target}-${name}.mjs`;
  writeFileSync(file, code);
  return import(pathToFileURL(file).href);
}

/** Steps that between them make every engine write each of its forms. */
export const STEPS = {
  once: { timeout_seconds: 20 },
  fixed: { timeout_seconds: 20, retry: { max_attempts: 4, base_delay_ms: 1000 } },
  doubled: {
    timeout_seconds: 20,
    retry: { max_attempts: 6, backoff: "exponential", base_delay_ms: 1000, max_delay_ms: 5000 },
  },
  linear: { timeout_seconds: 20, retry: { max_attempts: 7, backoff: "linear", base_delay_ms: 1000 } },
  none: { timeout_seconds: 20, retry: { max_attempts: 3 } },
  limited: {
    timeout_seconds: 20,
    retry: { max_attempts: 6, backoff: "linear", base_delay_ms: 1000, max_delay_ms: 4000, total_timeout_seconds: 60 },
  },
  limitedFixed: { timeout_seconds: 20, retry: { max_attempts: 6, base_delay_ms: 1000, total_timeout_seconds: 60 } },
  attested: {
    timeout_seconds: 20,
    idempotent: true,
    retry: { max_attempts: 6, backoff: "linear", base_delay_ms: 1000, on_timeout: true },
  },
  attestedFixed: {
    timeout_seconds: 20,
    idempotent: true,
    retry: { max_attempts: 6, base_delay_ms: 1000, on_timeout: true },
  },
};
