// Tells where the bytes of the module go, by crate and by our own modules, and what has changed since
// they were last recorded in `where.json`. Usage: node pkg/where.mjs GLUED_MODULE FINISHED_MODULE [--record]
//
// Sizes are of code as it is before the optimiser, which still has its names; `gzipped` is how much smaller
// the whole would be without that part, so that what several parts have in common counts for none.

import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { gzipSync } from "node:zlib";
import { DATA, FUNCTION_NAMES, functions, Reader, sections } from "./layout/wasm-file.mjs";

const [file, finished, flag] = process.argv.slice(2);
const record = new URL("where.json", import.meta.url);

function names(module) {
  const [section] = WebAssembly.Module.customSections(module, "name");
  const reader = new Reader(new Uint8Array(section));
  const found = new Map();
  while (!reader.done) {
    const kind = reader.number();
    const part = new Reader(reader.block());
    if (kind !== FUNCTION_NAMES) continue;
    for (let left = part.number(); left > 0; left--) found.set(part.number(), Buffer.from(part.block()).toString());
  }
  return found;
}

/** What a function belongs to: an instance of somebody's generic code to whoever asked for it. */
function owner(mangled) {
  // Crates carry the hash of their version.
  const name = mangled.replace(/\[[0-9a-f]{8,16}\]/g, "");
  const ours = /\bstep_retry::(\w+)/.exec(name);
  if (ours) return `step-retry ${ours[1]}`;
  const crate = /^[<&*([]*(?:mut |const |dyn )*(\w+)::/.exec(name)?.[1] ?? "glue";
  const std = ["core", "alloc", "std", "__rustc", "compiler_builtins", "libm", "hashbrown"];
  return std.includes(crate) ? "standard library" : crate;
}

function parts(bytes) {
  const { imported, bodies } = functions(bytes);
  const named = names(new WebAssembly.Module(bytes));
  const groups = new Map();
  bodies.forEach((body, index) => {
    const group = owner(named.get(imported + index) ?? "");
    groups.set(group, [...(groups.get(group) ?? []), body]);
  });
  return groups.set("data", [sections(bytes).find(([kind]) => kind === DATA)[1]]);
}

const gzipped = (blocks) => gzipSync(Buffer.concat(blocks), { level: 9 }).length;
const groups = parts(readFileSync(file));
const all = [...groups.values()].flat();
const whole = gzipped(all);
const rows = [...groups].map(([name, blocks]) => {
  const own = new Set(blocks);
  const raw = blocks.reduce((sum, block) => sum + block.length, 0);
  return [name, { raw, gzipped: whole - gzipped(all.filter((block) => !own.has(block))) }];
});
rows.sort(([, a], [, b]) => b.gzipped - a.gzipped);

const now = Object.fromEntries([
  ...rows,
  ["all", { raw: all.reduce((sum, { length }) => sum + length, 0), gzipped: whole }],
]);
const recorded = JSON.parse(readFileSync(record, { encoding: "utf8", flag: "a+" }) || "{}");
const module = basename(finished, ".wasm");
const before = recorded[module] ?? now;
const kilobytes = (bytes) => (bytes / 1000).toFixed(1).padStart(8);
console.log("     raw  gzipped   change");
for (const name of new Set([...Object.keys(now), ...Object.keys(before)])) {
  const { raw, gzipped } = now[name] ?? { raw: 0, gzipped: 0 };
  const change = gzipped - (before[name]?.gzipped ?? 0);
  const told = Math.abs(change) < 50 ? "" : `${change > 0 ? "+" : "-"}${(Math.abs(change) / 1000).toFixed(1)}`;
  console.log(`${kilobytes(raw)} ${kilobytes(gzipped)} ${told.padStart(8)}  ${name}`);
}
const built = readFileSync(finished);
console.log(`\n${kilobytes(built.length)} ${kilobytes(gzipped([built]))}           the finished module`);
if (flag === "--record") writeFileSync(record, `${JSON.stringify({ ...recorded, [module]: now }, null, 2)}\n`);
