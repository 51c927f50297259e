// The JSON Schema against the checker: it takes whatever the checker takes, and refuses every wrong
// type and range that a schema can tell.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import Ajv from "ajv/dist/2020.js";
import yaml from "js-yaml";
import { validate } from "../../pkg/dist/esm/index.js";

const schema = createRequire(import.meta.url)("step-retry/schema.json");
const accepts = new Ajv({ strict: true, strictRequired: false, strictTypes: false }).compile(schema);

/** What a schema cannot tell: it knows neither other steps nor the text behind the values. */
const BEYOND_A_SCHEMA = new Set([
  "YAML_PARSE_ERROR",
  "UNKNOWN_DEPENDENCY",
  "SELF_DEPENDENCY",
  "DEPENDENCY_CYCLE",
  "ONLY_FINALIZERS",
]);

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");
const cases = JSON.parse(read("../cases/validate.json"));
const written = readdirSync(new URL("../accepted", import.meta.url)).map((name) => ({
  id: name,
  yaml: read(`../accepted/${name}`),
}));

/** Each value under each key of each kind of step, beside a step that it may depend on. */
const grid = [];
const KINDS = {
  auto: ["handler: h"],
  agent: ["prompt: p", "tools: [a]"],
  guard: ["abort_unless: x"],
  finalizer: ["handler: h", "on_outcome: always"],
};
const KEYS = [
  ...["timeout_seconds", "idempotent", "trust", "depends_on", "trigger_rule", "on_outcome", "retry", "gate", "tools"],
  ...["max_tool_calls", "max_fan_out", "tool_timeout", "llm_timeout_seconds", "abort_unless", "timeout_second"],
  ...["retry.max_attempts", "retry.backoff", "retry.base_delay_ms", "retry.max_delay_ms", "retry.on_timeout"],
  ...["retry.total_timeout_seconds", "gate.choices", "gate.timeout_seconds", "gate.on_expiry", "gate.reminder_seconds"],
];
const VALUES = [
  "5",
  '"5"',
  "1.5",
  "0",
  "-1",
  "~",
  "true",
  "yes",
  "exponential",
  "fixd",
  "abort",
  "all_done",
  "auto",
  "[fail]",
  "[]",
  "{}",
];
for (const [kind, own] of Object.entries(KINDS)) {
  for (const key of KEYS) {
    for (const value of VALUES) {
      const [block, inner] = key.split(".");
      const lines = ["description: d", `execution: ${kind}`, ...own].filter((line) => !line.startsWith(`${key}:`));
      const field = inner === undefined ? `${block}: ${value}` : `${block}: {${inner}: ${value}}`;
      grid.push({
        id: `${kind} ${field}`,
        yaml: `id: w\nname: W\nversion: 1\nsteps:\n  first: {description: d, execution: auto, handler: h}\n  it: {${[...lines, field].join(", ")}}\n`,
      });
    }
  }
}

/** The file as JSON; nothing where it is no YAML, or holds a number that JSON does not have. */
function json(text) {
  if (/\.nan|\.inf/i.test(text)) return undefined;
  try {
    return { value: yaml.load(text, { schema: yaml.CORE_SCHEMA.extend({ implicit: [yaml.types.merge] }) }) };
  } catch {
    return undefined;
  }
}

for (const [name, texts] of Object.entries({ cases, written, grid })) {
  test(`the schema and the checker agree on the ${name}`, () => {
    let compared = 0;
    for (const { id, yaml: text } of texts) {
      const file = json(text);
      if (file === undefined) continue;
      const errors = validate(text).diagnostics.filter((diagnostic) => diagnostic.severity === "error");
      if (errors.some((error) => BEYOND_A_SCHEMA.has(error.code))) continue;
      compared += 1;
      assert.equal(
        accepts(file.value),
        errors.length === 0,
        `${id}\n${text}\n${JSON.stringify([errors[0]?.message, accepts.errors?.[0]])}`,
      );
    }
    assert.ok(compared >= texts.length * 0.8, `only ${compared} of ${texts.length} could be compared`);
  });
}
