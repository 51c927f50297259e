// Makes an app: its files, its tools as locked, the packed package as npm installs it, and the program
// that all apps share.

import { createHash } from "node:crypto";
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";
import { data } from "./data.mjs";
import { execute } from "./execute.mjs";
import { part } from "./page.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const types = fileURLToPath(new URL("../types/", import.meta.url));
const NPM = ["npm", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"];

/** An entry that does something when it is imported: it defines the element. */
const ACTS = "step-retry/element";

/** The folder of the row's app, ready to be run. */
export async function prepare(row, tarball, work) {
  // Tools that need another Node than this one's find it there.
  if (row.app !== "node" && uses(row, /^node\d/)) await install("node", work);
  const folder = await install(row.app, work);
  await put(tarball, folder);
  if (row.app === "typescript") cpSync(types, folder, { recursive: true });
  else await share(row, folder);
  for (const [file, place] of Object.entries(row.snippets ?? {})) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), part(place, extname(file).slice(1)));
  }
  return folder;
}

const uses = (row, program) => [...(row.steps ?? []), row.server ?? []].some(([first]) => program.test(first));

/** A command with what its words stand for: `node` is this one, `node24` one of the app `node`. */
export function program([first, ...rest], work, port) {
  const node = /^node(\d*)$/.exec(first);
  const words = rest.map((word) => word.replaceAll("$PORT", String(port)));
  if (node === null) return [first, ...words];
  return [node[1] === "" ? process.execPath : join(work, "node/node_modules", first, "bin/node"), ...words];
}

async function install(app, work) {
  const folder = join(work, app);
  mkdirSync(folder, { recursive: true });
  // What is left of another version of the app is no part of it.
  for (const name of readdirSync(folder)) {
    if (name !== "node_modules") rmSync(join(folder, name), { recursive: true });
  }
  cpSync(join(here, "apps", app), folder, { recursive: true });
  await once(folder, "tools", readFileSync(join(folder, "package-lock.json")), () => execute([...NPM, "ci"], folder));
  return folder;
}

/** Installs the package; under a name that changes with it, or npm would keep an older one. */
async function put(tarball, folder) {
  const bytes = readFileSync(tarball);
  await once(folder, "package", bytes, () => {
    const copy = join(folder, `step-retry-${digest(bytes)}.tgz`);
    copyFileSync(tarball, copy);
    return execute([...NPM, "install", "--no-save", "--no-package-lock", copy], folder);
  });
}

/** Does `make` unless it was done from the same `source` last time. */
async function once(folder, what, source, make) {
  const stamp = join(folder, `node_modules/.${what}`);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === digest(source)) return;
  await make();
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  writeFileSync(stamp, digest(source));
}

const digest = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);

/** Writes the shared program, and a module that has it work on the row's entries, as ESM and as CommonJS. */
async function share(row, folder) {
  for (const name of ["show.js", "touch.js"]) copyFileSync(join(here, name), join(folder, name));
  const all = Object.keys(data.entries);
  const names = all.filter((name) => row.without?.[name] === undefined);
  const from = (name) => JSON.stringify(row.paths ? `./node_modules/step-retry/${fileOf(name, folder)}` : name);
  const modules = {
    program: readFileSync(join(here, "program.js"), "utf8"),
    work: [
      ...names.map((name, index) => `import * as entry${index} from ${from(name)};`),
      `import { told } from "./program.js";`,
      `const entries = { ${names.map((name, index) => `${JSON.stringify(name)}: entry${index}`).join(", ")} };`,
      `export const work = (wasm) => told(${JSON.stringify(data.entries)}, entries, wasm);`,
    ].join("\n"),
    unused: all
      .filter((name) => name !== ACTS)
      .map((name, index) => `import * as entry${index} from ${JSON.stringify(name)};`)
      .join("\n"),
  };
  for (const [name, code] of Object.entries(modules)) {
    const cjs = await transform(code.replace("./program.js", "./program.cjs"), { format: "cjs" });
    writeFileSync(join(folder, `${name}.js`), code);
    writeFileSync(join(folder, `${name}.cjs`), cjs.code);
  }
}

/** The file of an entry, for a page that has nobody to look it up. */
function fileOf(name, folder) {
  const { exports } = JSON.parse(readFileSync(join(folder, "node_modules/step-retry/package.json"), "utf8"));
  return exports[name.replace("step-retry", ".")].import.default;
}
