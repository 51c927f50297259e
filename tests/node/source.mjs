// Loads a TypeScript module of the package by itself, for tests of parts that the package does not export.

import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** The exports of `path`, counted from the root of the repository. */
export async function loadSource(path) {
  const entry = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    write: false,
    logLevel: "silent",
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}
