// The form's edits of a file: one setting changes, and nothing else does.

import assert from "node:assert/strict";
import { test } from "node:test";
import { validate } from "../../pkg/dist/esm/index.js";
import { loadSource } from "./source.mjs";

const { readLimits, writeRetryBlock, writeSetting } = await loadSource("www/src/yaml-edit.ts");
const { limitLines, writeLimits } = await loadSource("www/src/limits-edit.ts");
const { readSettings } = await loadSource("www/src/settings-text.ts");

const HEAD = "id: w\nname: W\nversion: 1\nsteps:\n";
const FILE = `${HEAD}  # the first
  pull:   # from the server
    description: D.
    execution: auto
    handler: h
    timeout_seconds: 30   # plenty
    retry:
      # the server naps
      max_attempts: 3
      "base_delay_ms":   100 # a nap

  push:
    description: "retry: not here"
    execution: auto
    handler: h
    retry: { max_attempts: 2, backoff: linear } # short
  bare:
    description: D.
    execution: auto
    handler: h

# the end
`;

const steps = Object.fromEntries(validate(FILE).steps.map((step) => [step.name, step]));
const write = (name, setting, value) => writeSetting(FILE, steps[name], setting, value);

const rows = [
  [
    "a value of the step",
    "pull",
    ["timeout_seconds"],
    "5",
    ["timeout_seconds: 30   # plenty", "timeout_seconds: 5   # plenty"],
  ],
  [
    "a key of the step that is new",
    "pull",
    ["idempotent"],
    "true",
    ["    retry:\n      # the", "    idempotent: true\n    retry:\n      # the"],
  ],
  [
    "a key of the step taken away",
    "pull",
    ["timeout_seconds"],
    undefined,
    ["    timeout_seconds: 30   # plenty\n", ""],
  ],
  ["a value of the block", "pull", ["retry", "max_attempts"], "4", ["max_attempts: 3", "max_attempts: 4"]],
  [
    "a quoted key keeps its quotes",
    "pull",
    ["retry", "base_delay_ms"],
    "7",
    ['"base_delay_ms":   100 # a', '"base_delay_ms":   7 # a'],
  ],
  [
    "a key of the block that is new",
    "pull",
    ["retry", "backoff"],
    "fixed",
    ["100 # a nap\n", "100 # a nap\n      backoff: fixed\n"],
  ],
  ["a value inside braces", "push", ["retry", "backoff"], "fixed", ["backoff: linear }", "backoff: fixed }"]],
  [
    "a key inside braces that is new",
    "push",
    ["retry", "base_delay_ms"],
    "9",
    ["linear }", "linear, base_delay_ms: 9 }"],
  ],
  ["a key inside braces taken away", "push", ["retry", "backoff"], undefined, ["2, backoff: linear }", "2}"]],
  [
    "a block that was not there",
    "bare",
    ["retry", "max_attempts"],
    "3",
    ["handler: h\n\n# the end", "handler: h\n    retry:\n      max_attempts: 3\n\n# the end"],
  ],
];

for (const [what, name, setting, value, [before, after]] of rows) {
  test(`${what}: that is all that changes`, () => {
    const written = write(name, setting, value);
    assert.equal(written, FILE.replace(before, after));
    assert.notEqual(written, FILE);
    assert.equal(validate(written).valid, true, validate(written).summary);
  });
}

test("what a step says is read as it stands, be it refused or not", () => {
  const refused = FILE.replace("execution: auto", "execution: guard").replace("max_attempts: 3", "max_attempts: 0");
  const [pull, push, bare] = validate(refused).steps;
  assert.equal(pull.limits, undefined);
  const { timeout_seconds, retry } = readLimits(refused, pull);
  assert.deepEqual({ timeout_seconds, retry }, { timeout_seconds: 30, retry: { max_attempts: 0, base_delay_ms: 100 } });
  assert.deepEqual(readLimits(refused, push).retry, { max_attempts: 2, backoff: "linear" });
  assert.equal(readLimits(refused, push).description, "retry: not here");
  assert.equal(readLimits(refused, bare).retry, undefined);
  const words = refused.replace("max_attempts: 0", "on_timeout: true # so far");
  assert.equal(readLimits(words, validate(words).steps[0]).retry.on_timeout, true);
});

test("a block without keys stays a block", () => {
  const file = `${HEAD}  a:\n    description: D.\n    execution: auto\n    handler: h\n    retry: # none yet\n      max_attempts: 3\n`;
  const written = writeSetting(file, validate(file).steps[0], ["retry", "max_attempts"], undefined);
  assert.equal(written, file.replace("retry: # none yet\n      max_attempts: 3\n", "retry: {} # none yet\n"));
  assert.equal(validate(written).valid, true);
});

test("a block comes and goes as a whole", () => {
  const added = writeRetryBlock(FILE, steps.bare, ["max_attempts: 3"]);
  assert.equal(added, write("bare", ["retry", "max_attempts"], "3"));
  const again = validate(added).steps.find((step) => step.name === "bare");
  assert.equal(writeRetryBlock(added, again, undefined), FILE);
});

for (const [what, text] of Object.entries({
  "an alias": "    retry: *usual\n",
  "a value with an anchor": "    retry: &usual { max_attempts: 3 }\n",
  "braces over several lines": "    retry: {\n      max_attempts: 3 }\n",
})) {
  test(`${what} is left alone`, () => {
    const file = `x-usual: &usual { max_attempts: 2 }\n${HEAD}  a:\n    description: D.\n    execution: auto\n    handler: h\n${text}`;
    assert.equal(writeSetting(file, validate(file).steps[0], ["retry", "max_attempts"], "5"), undefined);
  });
}

test("a step inside braces is left alone", () => {
  const file = `${HEAD}  a: {description: D, execution: auto, handler: h}\n`;
  assert.equal(writeSetting(file, validate(file).steps[0], ["timeout_seconds"], "5"), undefined);
});

const RETRY_KEYS = ["max_attempts", "backoff", "base_delay_ms", "max_delay_ms", "on_timeout", "total_timeout_seconds"];
const BROUGHT = { timeout_seconds: 5, retry: { max_attempts: 4, backoff: "linear", max_delay_ms: 9 } };
const writeAll = (name, limits) =>
  writeLimits(FILE, (text) => validate(text).steps.find((step) => step.name === name), limits, RETRY_KEYS);

test("limits from elsewhere take the place of a step's own, comments beside them stay", () => {
  const pull = FILE.replace("timeout_seconds: 30   # plenty", "timeout_seconds: 5   # plenty")
    .replace("max_attempts: 3", "max_attempts: 4")
    .replace('      "base_delay_ms":   100 # a nap\n', "      backoff: linear\n      max_delay_ms: 9\n");
  assert.equal(writeAll("pull", BROUGHT), pull);
  const push = writeAll("push", { retry: { max_attempts: 2 } });
  assert.equal(push, FILE.replace("{ max_attempts: 2, backoff: linear }", "{ max_attempts: 2}"));
  const bare = writeAll("bare", BROUGHT);
  assert.equal(
    bare,
    FILE.replace(
      "handler: h\n\n# the end",
      `handler: h\n${limitLines(BROUGHT)
        .map((line) => `    ${line}\n`)
        .join("")}\n# the end`,
    ),
  );
  for (const written of [pull, push, bare]) assert.equal(validate(written).valid, true);
  assert.equal(writeAll("bare", {}), FILE);
  assert.doesNotMatch(writeAll("pull", {}), /server naps/);
  assert.equal(
    writeLimits(FILE, () => undefined, BROUGHT, RETRY_KEYS),
    undefined,
  );
});

test("settings are read as JSON or as they stand in code, and are never run", () => {
  const read = {
    '{ "a": 1 }': { a: 1 },
    "{ retries: 3, minTimeout: 1_000, }": { retries: 3, minTimeout: 1000 },
    "{ // three\n  a: ['it\\'s', \"b: c, }\"], /* d: */\n}": { a: ["it's", "b: c, }"] },
    "{ a: 'say \"no\"', b$_1: [1, 2,], c: { d: true, e: null } }": {
      a: 'say "no"',
      b$_1: [1, 2],
      c: { d: true, e: null },
    },
    "[]": [],
  };
  for (const [text, value] of Object.entries(read)) assert.deepEqual(readSettings(text), value, text);
  for (const text of ["", "{", "retries: 3", "{ a: fetch('x') }", "{ a: undefined }", "'"]) {
    assert.throws(() => readSettings(text), SyntaxError, text);
  }
});

test("a line in the middle of a quoted text is no key", () => {
  const file = `${HEAD}  pull:
    description: 'first
    timeout_seconds: whatever, it''s
    retry: none'
    execution: auto
    handler: "h \\"
    timeout_seconds: 8"
    timeout_seconds: 1
    retry:
      max_attempts: 3
`;
  const [step] = validate(file).steps;
  assert.equal(step.limits.timeout_seconds, 1);
  const written = writeSetting(file, step, ["timeout_seconds"], "6");
  assert.equal(written, file.replace("timeout_seconds: 1\n", "timeout_seconds: 6\n"));
  assert.equal(
    writeSetting(file, step, ["retry", "max_attempts"], "8"),
    file.replace("max_attempts: 3", "max_attempts: 8"),
  );
});

test("a value that stands below its key, or goes on there, is left alone", () => {
  for (const value of ["\n          3", "3\n          4", '"3\n          4"']) {
    const file = `${HEAD}  pull:
    description: D.
    execution: auto
    handler: h
    retry:
      max_attempts: ${value}
      base_delay_ms: 5
`;
    const [step] = validate(file).steps;
    assert.equal(writeSetting(file, step, ["retry", "max_attempts"], "6"), undefined, value);
  }
});
