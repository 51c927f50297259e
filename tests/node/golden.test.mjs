// What the core sends over the border is what the types say, field by field and both ways: the values that
// `tests/golden.rs` keeps in a file are compiled as literals against types made of the package's own.
//
// `full` must have every field of its type, those that may be absent too, and no `null`; `bare` must lack all
// that may be absent and have `null` wherever there can be one. Neither may have a field that no type knows.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { StepRun } from "step-retry";
import { compile } from "./compile.mjs";

const golden = JSON.parse(readFileSync(new URL("../types/golden.json", import.meta.url), "utf8"));

/** Where the types are that people do not see. */
const BORDER = ["RawDecision", "RawResult", "Refusal"];

/** The fields that TypeScript adds, or that cross the border as arrays of numbers. */
const ADDED = {
  Report: ["percentiles"],
  Plan: ["percentiles"],
  PlanRow: ["percentiles", "method"],
  RunEvent: ["run"],
  FleetLoad: ["calls", "served", "refused", "capacity"],
};

/** The types that are a choice, and the field that says which: the file has each. */
const CHOICES = { RawDecision: "do", RunEvent: "type" };

/** The sets of words that have no type of their own. */
const WORDS = { AttemptStatus: 'AttemptRecord["status"]', Outcome: 'StepRecord["outcome"]' };

const TYPES = `
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
const same = <A, B>(_same: Same<A, B>): void => undefined;

/** With every field, and nothing null. */
type Full<T, Added> = T extends readonly (infer Item)[]
  ? Full<Item, Added>[]
  : T extends object
    ? { [Key in keyof T as Key extends Added ? never : Key]-?: Full<NonNullable<T[Key]>, Added> }
    : T;

/** Without the fields that may be absent, and null where that can be. */
type Bare<T, Added> = T extends readonly (infer Item)[]
  ? Bare<Item, Added>[]
  : T extends object
    ? Closed<{ [Key in keyof T as Key extends Added ? never : Optional<T, Key> extends true ? never : Key]: Nulled<T[Key], Added> }>
    : T;
type Optional<T, Key extends keyof T> = string extends Key ? false : {} extends Pick<T, Key> ? true : false;
type Nulled<T, Added> = unknown extends T ? T : null extends T ? null : Bare<T, Added>;
/** TypeScript lets an empty type have any field. */
type Closed<T> = keyof T extends never ? Record<string, never> : T;
`;

/** A constant for each value of the file, and what is asked of it. */
function program() {
  const names = (types) => types.map((type) => `type ${type}`).join(", ");
  const policy = ["PolicyExport", "PolicyImport"];
  const own = ["ExportTarget", "ExportVerdict", "ImportSource", "LossCode", "NoteCode"];
  const words = Object.keys(golden.words).filter((name) => WORDS[name] === undefined && !own.includes(name));
  const types = Object.keys(golden.bare).filter((name) => ![...BORDER, ...policy].includes(name));
  const lines = [
    `import { ${names([...types, ...words, "AttemptRecord", "Snapshot", "StepRecord"])} } from "step-retry";`,
    `import { ${names([...policy, ...own])} } from "step-retry/export";`,
    `import { ${names(BORDER)} } from "../../pkg/src/border.js";`,
    TYPES,
    `export const snapshots = ${JSON.stringify(golden.snapshots)} satisfies Snapshot[];`,
  ];
  for (const [kind, made] of [
    ["full", "Full"],
    ["bare", "Bare"],
  ]) {
    for (const [name, value] of Object.entries(golden[kind])) {
      const added = (ADDED[name] ?? []).map((field) => JSON.stringify(field)).join(" | ") || "never";
      const type = `${made}<${name}, ${added}>${CHOICES[name] === undefined ? "" : "[]"}`;
      lines.push(`export const ${kind}${name} = ${JSON.stringify(value)} satisfies ${type};`);
    }
  }
  for (const [name, field] of Object.entries(CHOICES)) {
    lines.push(`same<(typeof full${name})[number]["${field}"], ${name}["${field}"]>(true);`);
  }
  for (const [name, words] of Object.entries(golden.words)) {
    lines.push(`same<${words.map((word) => JSON.stringify(word)).join(" | ")}, ${WORDS[name] ?? name}>(true);`);
  }
  return lines.join("\n");
}

test("each type has the fields that the core sends, and no other", () => {
  assert.ok(Object.keys(golden.full).length >= 10 && Object.keys(golden.words).length >= 10);
  compile("golden", program(), { lib: ["ES2022", "DOM"] });
});

test("the package takes up a run from each snapshot that the core writes", () => {
  assert.equal(golden.snapshots.length, 4);
  for (const snapshot of golden.snapshots) assert.deepEqual(StepRun.restore(snapshot).snapshot(), snapshot);
});
