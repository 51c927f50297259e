// Makes `dist/` from `src/` and what `cargo xtask build` left in its work folder: the glue and the
// optimised module. Usage: node pkg/build.mjs WORK_FOLDER [COMMIT]
//
// With a module's name as a third argument: only the default entry, over that module, in WORK_FOLDER/NAME.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";
import { minify } from "terser";
import { renamed } from "./layout/wasm-file.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const [work, commit = "", only] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));

/** The entries of the package, each with the module behind it. */
const ENTRIES = {
  index: "step_retry",
  run: "step_retry_run",
  export: "step_retry_export",
  fleet: "step_retry_fleet",
};

/** The entry that is given its module by the caller. */
const SLIM = { slim: "step_retry" };

/**
 * The entries over the default one, each with its source: they use it, each other and the packages of their
 * host, and carry none of them.
 */
const PARTS = { codemirror: "codemirror.ts", element: "element.ts" };

/** What an entry fetches when it is needed. */
const LATER = { "element-editor": "element/code-source.ts" };

/** The pages of `docs/` for those who use the package. */
const DOCUMENTS = ["diagnostics.md", "editor.md", "export.md", "plan.md", "run.md"];

/** What all bundles have in common. */
const common = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  // What every engine takes that takes the modules themselves.
  target: ["es2022", "safari15"],
  logLevel: "warning",
  define: { PACKAGE_VERSION: JSON.stringify(version), PACKAGE_COMMIT: JSON.stringify(commit) },
};

/**
 * A module and its glue, with short names for what they call each other by: those that wasm-bindgen gives
 * carry types and hashes, in both.
 */
async function parts(name) {
  const wasm = readFileSync(join(work, `${name}.wasm`));
  const names = shortNames(wasm);
  const short = (found) => names.get(found) ?? found;
  const glue = (await glueFactory(name))
    .replaceAll(/(?<=\bwasm\.)\w+/g, short)
    // What the module imports stands in one object, under these names alone.
    .replaceAll(/\b__wb\w+(?=: function\()|(?<=")\.\/\w+\.js(?=":)/g, short);
  return { glue, wasm: renamed(wasm, short) };
}

/** A short name for all that a module imports and exports, but for its memory, and for where it imports from. */
function shortNames(wasm) {
  const module = new WebAssembly.Module(wasm);
  const imports = WebAssembly.Module.imports(module);
  const exports = WebAssembly.Module.exports(module).map(({ name }) => name);
  const names = new Set([...imports.flatMap(({ module, name }) => [module, name]), ...exports]);
  names.delete("memory");
  return new Map([...names].map((name, index) => [name, `_${index.toString(36)}`]));
}

/**
 * wasm-bindgen's glue keeps its instance in module variables: as a function it can have several. Its
 * default export, which would fetch the module by itself, stays out.
 */
async function glueFactory(name) {
  const bundled = await build({
    ...common,
    stdin: { contents: `export * from "./${name}.js";`, resolveDir: join(work, "glue") },
    format: "esm",
    minify: false,
    // The glue looks for the global object in four places, of which every engine in question has the first.
    define: { global: "undefined", self: "undefined", window: "undefined" },
    write: false,
  });
  const [, body, exported] = found(/^(.*)\nexport \{([^}]*)\};\n$/s, bundled.outputFiles[0].text);
  const [taking] = found(/wasm = instance\.exports;/, body);
  // It takes a module in whatever form it comes, and says what is old about some; ours is always compiled.
  const [starting, module] = found(/function initSync\((\w+)\) \{\n.*?\n\}(?=\n|$)/s, body);
  const instance = `new WebAssembly.Instance(${module}, __wbg_get_imports())`;
  const ours = body
    .replace(taking, "wasm = guard(instance.exports);")
    .replace(starting, `function initSync(${module}) { return __wbg_finalize_init(${instance}); }`);
  const result = `return {${exported.replaceAll(" as ", ": ")}};`;
  return `export const createGlue = ({ guard, queueMicrotask, setTimeout, clearTimeout }) => {${ours}${result}};`;
}

function found(pattern, glue) {
  const match = pattern.exec(glue);
  if (match === null) throw new Error(`the glue is not as expected: it lacks ${pattern}`);
  return match;
}

/**
 * Bundles into the file that `options` name. What esbuild has made small, terser makes smaller still: it knows
 * which functions are called once.
 */
async function bundle(options) {
  const { outputFiles } = await build({ ...common, ...options, write: false });
  for (const { path, text } of outputFiles) {
    const { code } = await minify(text, {
      module: options.format === "esm",
      toplevel: true,
      compress: { passes: 2 },
      format: { ecma: 2020 },
    });
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
  }
}

/** A module inside the bundle, as text. */
function inlined(bytes, encode) {
  const text = JSON.stringify(encode(bytes));
  return `import { decode } from "./bytes.js";
    import { compile } from "./instance.js";
    export const module = () => compile(() => decode(${text}));`;
}

/** A module that the host imports. */
function imported(name) {
  return `import compiled from "../${name}.wasm";
    export const module = () => compiled;`;
}

/** The way from bytes to text that goes with `decode`. */
async function encoder() {
  const { code } = await transform(readFileSync(join(here, "src/bytes.ts"), "utf8"), { loader: "ts" });
  return (await import(`data:text/javascript,${encodeURIComponent(code)}`)).encode;
}

/** Puts generated modules where `src/virtual.d.ts` promises them. */
function virtual(modules) {
  return {
    name: "virtual",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^step-retry:/ }, ({ path }) => ({ path, namespace: "virtual" }));
      onLoad({ filter: /.*/, namespace: "virtual" }, ({ path }) => ({
        contents: modules[path],
        loader: "ts",
        resolveDir: join(here, "src"),
      }));
    },
  };
}

/** Lets a bundle use a file beside it instead of carrying it again. */
function external(filter, folder) {
  const beside = (path) => ({ path: `${folder}/${path.slice("../".length)}`, external: true });
  return { name: "external", setup: ({ onResolve }) => onResolve({ filter }, ({ path }) => beside(path)) };
}

/**
 * The declarations that the entries lead to, and the same under the names that CommonJS asks for.
 * All others are nobody's business.
 */
function declarations() {
  const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
  execFileSync(process.execPath, [tsc, "--project", join(here, "tsconfig.types.json")], { stdio: "inherit" });
  const esm = join(here, "dist/esm");
  const shown = reachable(
    esm,
    [...Object.keys({ ...ENTRIES, ...SLIM }), ...Object.keys(PARTS)].map((name) => `${name}.d.ts`),
  );
  for (const file of readdirSync(esm, { recursive: true }).filter((file) => file.endsWith(".d.ts"))) {
    if (!shown.has(file)) {
      rmSync(join(esm, file));
      continue;
    }
    const text = readFileSync(join(esm, file), "utf8").replace(IMPORT, 'from "$1.cjs"');
    const copy = join(here, "dist/cjs", file.replace(/\.d\.ts$/, ".d.cts"));
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(copy, text);
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

/**
 * What goes with the package to be read: the pages whose names are given, with links that hold where they
 * come to stand.
 */
function documents(names) {
  mkdirSync(join(here, "dist/docs"));
  for (const name of names) {
    const text = readFileSync(join(here, "../docs", name), "utf8").replaceAll("](../README.md", "](../../README.md");
    writeFileSync(join(here, "dist/docs", name), text);
  }
}

/** Bundles one entry; `module` is where it has its module from, `suffix` what its file is called besides. */
function entry(name, format, glue, module, suffix = "", folder = `dist/${format}`) {
  const extension = format === "esm" ? "js" : "cjs";
  return bundle({
    entryPoints: [`src/${name}.ts`],
    format,
    // Those who still run CommonJS in a page that is none (Jest) may have no codec.
    inject: format === "cjs" ? ["src/text-codec.ts"] : [],
    outfile: `${folder}/${name}${suffix}.${extension}`,
    plugins: [virtual({ "step-retry:glue": glue, "step-retry:module": module }), external(/\.wasm$/, "..")],
  });
}

/** Lets a part use the other bundles. */
function beside(extension) {
  const names = { "/code-source.js": "element-editor", "/codemirror.js": "codemirror", "/index.js": "index" };
  const external = ({ path }) => ({
    path: `./${names[path.slice(path.lastIndexOf("/"))]}.${extension}`,
    external: true,
  });
  return {
    name: "beside",
    setup: ({ onResolve }) => onResolve({ filter: /^\.\.?\/(index|codemirror|element\/code-source)\.js$/ }, external),
  };
}

/** Style sheets as text. */
const sheets = {
  name: "sheets",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, "utf8"), { loader: "css", minify: true });
      return { contents: code, loader: "text" };
    }),
};

/** Bundles one of the parts. */
function part(name, source, format) {
  const extension = format === "esm" ? "js" : "cjs";
  const keys = `export const tables = ${readFileSync(join(here, "keys.json"), "utf8")};`;
  return bundle({
    entryPoints: [`src/${source}`],
    format,
    // What the editor's own packages and constructed style sheets ask for.
    target: "es2022",
    outfile: `dist/${format}/${name}.${extension}`,
    external: ["@codemirror/*", "@lezer/*"],
    plugins: [virtual({ "step-retry:keys": keys }), beside(extension), sheets],
  });
}

async function onlyDefaultEntry() {
  const { glue, wasm } = await parts(only);
  await entry("index", "esm", glue, inlined(wasm, await encoder()), "", join(work, only));
}

async function everything() {
  rmSync(join(here, "dist"), { recursive: true, force: true });
  mkdirSync(join(here, "dist/cjs"), { recursive: true });
  cpSync(join(here, "schema.json"), join(here, "dist/schema.json"));
  for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) cpSync(join(here, "..", name), join(here, "dist", name));
  cpSync(join(work, "LICENSES.txt"), join(here, "dist/LICENSES.txt"));
  documents(DOCUMENTS);
  const encode = await encoder();
  for (const [name, module] of Object.entries(ENTRIES)) {
    const { glue, wasm } = await parts(module);
    writeFileSync(join(here, `dist/${module}.wasm`), wasm);
    await entry(name, "esm", glue, inlined(wasm, encode));
    await entry(name, "cjs", glue, inlined(wasm, encode));
    await entry(name, "esm", glue, imported(module), ".workerd");
  }
  for (const [name, module] of Object.entries(SLIM)) {
    const { glue } = await parts(module);
    for (const format of ["esm", "cjs"]) await entry(name, format, glue, "");
  }
  for (const [name, source] of Object.entries({ ...PARTS, ...LATER })) {
    for (const format of ["esm", "cjs"]) await part(name, source, format);
  }
  await build({
    ...common,
    entryPoints: ["src/cli/main.ts"],
    format: "esm",
    platform: "node",
    target: "node20",
    outfile: "dist/cli.js",
    plugins: [external(/^\.\.\/(index|run|export)\.js$/, "./esm")],
  });
  declarations();
}

await (only === undefined ? everything() : onlyDefaultEntry());
