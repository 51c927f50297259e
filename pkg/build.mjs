// Makes `dist/` from `src/` and what `cargo xtask build` left in its work folder: the glue and the
// optimised module. Usage: node pkg/build.mjs WORK_FOLDER [COMMIT]

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const [work, commit = ""] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
const wasm = readFileSync(join(work, "step_retry.wasm"));

/** What all bundles have in common. */
const common = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  target: "es2020",
  logLevel: "warning",
  define: { PACKAGE_VERSION: JSON.stringify(version), PACKAGE_COMMIT: JSON.stringify(commit) },
};

/** wasm-bindgen's glue keeps its instance in module variables: as a function it can have several. */
async function glueFactory() {
  const bundled = await build({
    ...common,
    entryPoints: [join(work, "glue/step_retry.js")],
    format: "iife",
    globalName: "createGlue",
    minify: false,
    write: false,
  });
  const [, body] =
    /^(?:"use strict";\n)?var createGlue = (\(\(\) => \{.*\}\))\(\);\n$/s.exec(bundled.outputFiles[0].text) ?? [];
  if (body === undefined) throw new Error("the bundled glue does not look as expected");
  // The global one is among what test runners fake; a run must go on all the same.
  return `export const createGlue = (queueMicrotask) => (${body})();`;
}

/** The text that carries the module in the default entry. */
async function inlinedBytes() {
  const source = readFileSync(join(here, "src/bytes.ts"), "utf8");
  const { code } = await transform(source, { loader: "ts" });
  const { encode } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return `export const text = ${JSON.stringify(encode(wasm))};`;
}

/** Puts generated modules where `src/virtual.d.ts` promises them. */
function virtual(modules) {
  return {
    name: "virtual",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^step-retry:/ }, ({ path }) => ({ path, namespace: "virtual" }));
      onLoad({ filter: /.*/, namespace: "virtual" }, ({ path }) => ({ contents: modules[path] }));
    },
  };
}

/** Lets one bundle use another instead of carrying it again. */
function external(filter, path) {
  return { name: "external", setup: ({ onResolve }) => onResolve({ filter }, () => ({ path, external: true })) };
}

/**
 * The declarations that the entries lead to, and the same under the names that CommonJS asks for.
 * All others are nobody's business.
 */
function declarations() {
  const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
  execFileSync(process.execPath, [tsc, "--project", join(here, "tsconfig.types.json")], { stdio: "inherit" });
  const esm = join(here, "dist/esm");
  const shown = reachable(esm, ["index.d.ts", "slim.d.ts", "workerd.d.ts"]);
  for (const file of readdirSync(esm, { recursive: true }).filter((file) => file.endsWith(".d.ts"))) {
    if (!shown.has(file)) rmSync(join(esm, file));
    else if (file !== "workerd.d.ts") {
      const text = readFileSync(join(esm, file), "utf8").replace(IMPORT, 'from "$1.cjs"');
      const copy = join(here, "dist/cjs", file.replace(/\.d\.ts$/, ".d.cts"));
      mkdirSync(dirname(copy), { recursive: true });
      writeFileSync(copy, text);
    }
  }
}

const IMPORT = /from "(\.[^"]+)\.js"/g;

function reachable(folder, entries) {
  const found = new Set();
  const visit = (file) => {
    if (found.has(file)) return;
    found.add(file);
    const text = readFileSync(join(folder, file), "utf8");
    for (const [, path] of text.matchAll(IMPORT)) visit(join(dirname(file), `${path}.d.ts`));
  };
  entries.forEach(visit);
  return found;
}

rmSync(join(here, "dist"), { recursive: true, force: true });
mkdirSync(join(here, "dist/cjs"), { recursive: true });
writeFileSync(join(here, "dist/step_retry.wasm"), wasm);
cpSync(join(here, "schema.json"), join(here, "dist/schema.json"));
for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) cpSync(join(here, "..", name), join(here, "dist", name));

const modules = virtual({ "step-retry:glue": await glueFactory(), "step-retry:bytes": await inlinedBytes() });
const entry = (name, format, outfile) =>
  build({
    ...common,
    entryPoints: [`src/${name}.ts`],
    format,
    outfile: `dist/${outfile}`,
    plugins: [modules, external(/\.wasm$/, "../step_retry.wasm")],
  });
await Promise.all([
  entry("index", "esm", "esm/index.js"),
  entry("index", "cjs", "cjs/index.cjs"),
  entry("slim", "esm", "esm/slim.js"),
  entry("slim", "cjs", "cjs/slim.cjs"),
  entry("workerd", "esm", "esm/workerd.js"),
  build({
    ...common,
    entryPoints: ["src/cli/main.ts"],
    format: "esm",
    platform: "node",
    target: "node20",
    outfile: "dist/cli.js",
    plugins: [external(/^\.\.\/index\.js$/, "./esm/index.js")],
  }),
]);
declarations();
