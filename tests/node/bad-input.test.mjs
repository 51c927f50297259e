// Whatever is put in, the answer is one clear error with a code: never a stack, never a crash.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isStepRetryError, plan, runStep, validate } from "step-retry";
import { courier, folderWith, stepRetry } from "./command.mjs";

/** What is in the file; the code of its one error; the one line that the command prints. */
const FILES = {
  "no YAML": ["{ a: [", "YAML_PARSE_ERROR", /^Invalid: YAML parse error: .+\n$/],
  empty: ["", "WORKFLOW_NOT_A_MAP", /^Invalid workflow: Workflow must be a non-null object\n$/],
  "a list": ["- one\n- two\n", "WORKFLOW_NOT_A_MAP", /^Invalid workflow: Workflow must be a non-null object\n$/],
  "5 MB of brackets": ["[".repeat(5_000_000), /^(LIMIT_\w+|YAML_PARSE_ERROR)$/, /^Invalid.*: .+\n$/],
  "NUL bytes": ["id: a\0b\n", "YAML_PARSE_ERROR", /^Invalid: YAML parse error: .+\n$/],
};

for (const [what, [text, code, line]] of Object.entries(FILES)) {
  test(`a file that is ${what}: one error with a code, one line, exit 1`, async (t) => {
    const { valid, diagnostics } = validate(text);
    assert.equal(valid, false);
    assert.equal(diagnostics.length, 1);
    assert.match(diagnostics[0].code, code instanceof RegExp ? code : new RegExp(`^${code}$`));
    const cwd = await folderWith(t, { "workflow.yaml": text });
    for (const args of [
      ["validate", "."],
      ["plan", ".", "pull"],
      ["run", ".", "pull", "--get", "http://127.0.0.1:1/"],
    ]) {
      const { stdout, stderr, code: exit } = await stepRetry(args, { cwd });
      assert.match(stderr, line, args.join(" "));
      assert.deepEqual([stdout, exit], ["", 1]);
    }
  });
}

test("a file that is not UTF-8: NOT_UTF8 and the line, from the command and from the package", async (t) => {
  const bytes = Buffer.concat([Buffer.from("id: a\nname: "), Buffer.from([0xff, 0xfe]), Buffer.from("\n")]);
  const cwd = await folderWith(t, { "workflow.yaml": bytes });
  const { stderr, code } = await stepRetry(["validate", "."], { cwd });
  assert.equal(stderr, "Invalid: NOT_UTF8: 'workflow.yaml' is not UTF-8 text (line 2); save it as UTF-8\n");
  assert.equal(code, 1);
  assert.throws(
    () => validate(bytes),
    (error) => isStepRetryError(error) && error.code === "NOT_UTF8",
  );
});

test("a file that cannot be read: the system's own words, one line", async (t) => {
  const cwd = await folderWith(t, { "folder.yaml/inside": "" });
  assert.deepEqual(await stepRetry(["validate", "folder.yaml"], { cwd }), {
    stdout: "",
    stderr: "Invalid: Failed to read workflow file: EISDIR: illegal operation on a directory, read\n",
    code: 1,
  });
  assert.match((await stepRetry(["plan", "none"], { cwd })).stderr, /^Failed to read workflow file: ENOENT.*\n$/);
});

test("a step that does not exist: UNKNOWN_STEP, exit 1", async (t) => {
  const cwd = await folderWith(t, { "workflow.yaml": courier() });
  for (const args of [
    ["plan", ".", "pusch"],
    ["run", ".", "pusch", "--get", "http://127.0.0.1:1/"],
  ]) {
    const { stderr, code } = await stepRetry(args, { cwd });
    assert.match(stderr, /^UNKNOWN_STEP: [^\n]*\n$/);
    assert.equal(code, 1);
  }
});

for (const [what, limits] of Object.entries({
  "NaN seconds": { timeout_seconds: Number.NaN },
  "NaN attempts": { retry: { max_attempts: Number.NaN } },
  "a NaN wait": { retry: { base_delay_ms: Number.NaN } },
  "an endless wait": { retry: { max_delay_ms: Number.POSITIVE_INFINITY } },
})) {
  test(`a policy with ${what}: the file's own code and text`, async () => {
    const refused = (error) =>
      isStepRetryError(error) && error.code === "INVALID_VALUE" && /must be a/.test(error.message);
    assert.throws(() => plan(limits), refused);
    await assert.rejects(
      runStep(limits, () => "never called"),
      refused,
    );
  });
}

const FROZEN = Object.freeze({ code: "OUT_OF_INK" });

for (const [what, thrown] of Object.entries({
  nothing: undefined,
  null: null,
  "a string": "no ink",
  "a frozen object": FROZEN,
})) {
  test(`a handler that throws ${what}: one failed attempt, and the cause is what was thrown`, async () => {
    for (const attempt of [
      () => {
        throw thrown;
      },
      () => Promise.reject(thrown),
    ]) {
      const { ok, error, record } = await runStep({ timeout_seconds: 5 }, attempt);
      assert.equal(ok, false);
      assert.ok(error.code.length > 0 && error.message.length > 0);
      assert.equal(error.cause, thrown);
      assert.equal(record.attempts.length, 1);
      assert.equal(record.outcome, "failed");
    }
  });
}
