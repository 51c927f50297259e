// `step-retry validate`: what is printed where, and the exit code.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { courier, folderWith, stepRetry } from "./command.mjs";

const CASES = JSON.parse(await readFile(new URL("../cases/validate.json", import.meta.url), "utf8"));

const UNKNOWN_RETRY_KEY = courier("timeout_seconds: 5", "retry:", "  max_attempts: 2", "  jitter: true");
const WARNING = "step 'pull': unknown key 'jitter' (line 12) — ignored (not a recognized retry field).";

async function validate(t, text, ...options) {
  const cwd = await folderWith(t, { "workflow.yaml": text });
  return stepRetry(["validate", ...options, "workflow.yaml"], { cwd });
}

test("a file without a problem: its line on stdout, nothing else, exit 0", async (t) => {
  assert.deepEqual(await validate(t, courier()), { stdout: "Valid: courier v1 (1 step)\n", stderr: "", code: 0 });
});

test("a warning goes to stderr and does not refuse the file", async (t) => {
  assert.deepEqual(await validate(t, UNKNOWN_RETRY_KEY), {
    stdout: "Valid: courier v1 (1 step)\n",
    stderr: `⚠ ${WARNING}\n`,
    code: 0,
  });
});

test("under --strict a warning fails the file, and the line says so", async (t) => {
  assert.deepEqual(await validate(t, UNKNOWN_RETRY_KEY, "--strict"), {
    stdout: "Valid: courier v1 (1 step) — 1 warning; failing due to --strict\n",
    stderr: `⚠ ${WARNING}\n`,
    code: 1,
  });
});

test("advice beyond the reference comes with a sign of its own, before the verdict, and never counts", async (t) => {
  const text = courier(
    "timeout_seconds: 5",
    "retry:",
    "  max_attempts: 2",
    "  base_delay_ms: 100",
    "  max_delay_ms: 900",
  );
  const { stdout, stderr, code } = await validate(t, text, "--strict");
  assert.match(stderr, /^ℹ Step 'pull': 'retry\.max_delay_ms' \(900\) is never reached[^\n]*\n$/);
  assert.deepEqual([stdout, code], ["Valid: courier v1 (1 step)\n", 0]);
});

test("one error: one line on stderr, exit 1", async (t) => {
  assert.deepEqual(await validate(t, courier("timeout_seconds: 0")), {
    stdout: "",
    stderr: "Invalid workflow: Step 'pull': 'timeout_seconds' must be a positive integer (step at line 5)\n",
    code: 1,
  });
});

test("several errors: their number, then a line each, two spaces in", async (t) => {
  assert.deepEqual(await validate(t, courier("timeout_seconds: 0", "retry:", "  backoff: Linear")), {
    stdout: "",
    stderr: [
      "Invalid workflow — 2 errors:",
      "  Step 'pull': 'retry.backoff' must be 'fixed', 'linear', or 'exponential' (step at line 5)",
      "  Step 'pull': 'timeout_seconds' must be a positive integer (step at line 5)",
      "",
    ].join("\n"),
    code: 1,
  });
});

test("an unknown step key refuses the file although it is a warning", async (t) => {
  assert.deepEqual(await validate(t, courier("timeout_second: 5")), {
    stdout: "",
    stderr: [
      "⚠ step 'pull': unknown key 'timeout_second' (line 9) — ignored (did you mean 'timeout_seconds'?)",
      "Invalid: 1 warning, 1 escalated to an error by policy: UNKNOWN_STEP_KEY 'timeout_second'",
      "",
    ].join("\n"),
    code: 1,
  });
});

test("a description is a second line; keys of the author's own are counted", async (t) => {
  const text = courier().replace("version: 1\n", "version: 1\ndescription: Carries things.\nx-team: post\n");
  const { stdout } = await validate(t, text);
  assert.equal(
    stdout,
    "Valid: courier v1 (1 step) — 1 extension key carried, never read by realm: x-team\n  Carries things.\n",
  );
});

test("a folder means its workflow.yaml", async (t) => {
  const cwd = await folderWith(t, { "courier/workflow.yaml": courier() });
  assert.equal((await stepRetry(["validate", "courier"], { cwd })).stdout, "Valid: courier v1 (1 step)\n");
});

test("of several files each line names its own, and one bad file is enough for exit 1", async (t) => {
  const cwd = await folderWith(t, { "a.yaml": courier(), "b.yml": courier("timeout_seconds: 0") });
  assert.deepEqual(await stepRetry(["validate", "a.yaml", "b.yml", "none.yaml"], { cwd }), {
    stdout: "a.yaml: Valid: courier v1 (1 step)\n",
    stderr: [
      "b.yml: Invalid workflow: Step 'pull': 'timeout_seconds' must be a positive integer (step at line 5)",
      "none.yaml: Invalid: Failed to read workflow file: ENOENT: no such file or directory, open 'none.yaml'",
      "",
    ].join("\n"),
    code: 1,
  });
});

test("every case of the rules holds through --json: verdict, warnings, errors, counts", async (t) => {
  const cwd = await folderWith(t, Object.fromEntries(CASES.map(({ id, yaml }) => [`${id}.yaml`, yaml])));
  const { stdout, code } = await stepRetry(["validate", "--json", ...CASES.map(({ id }) => `${id}.yaml`)], { cwd });
  assert.equal(code, 1);
  const reports = JSON.parse(stdout);
  for (const [index, { id, expect }] of CASES.entries()) {
    const report = reports[index];
    const refusal = expect.diagnostics.some(
      ({ code: kind, severity }) => severity === "error" && /^UNKNOWN_(STEP|WORKFLOW)_KEY$/.test(kind ?? ""),
    );
    const warnings = expect.diagnostics.filter(
      ({ code: kind, severity }) => severity === "warning" || /^UNKNOWN_(STEP|WORKFLOW)_KEY$/.test(kind ?? ""),
    );
    const errors = expect.diagnostics.length - warnings.length;
    assert.equal(report.valid, expect.valid, id);
    assert.equal(report.warning_count, warnings.length, id);
    assert.equal(report.error_count, errors > 0 ? errors : Number(refusal), id);
    assert.deepEqual(
      report.diagnostics.map((warning) => warning.code),
      warnings.map((warning) => warning.code),
      id,
    );
  }
});

test("--json has the reference's keys in its order", async (t) => {
  const { stdout, stderr, code } = await validate(t, UNKNOWN_RETRY_KEY, "--json", "--strict");
  const report = JSON.parse(stdout);
  assert.equal(stdout, `${JSON.stringify(report, null, 2)}\n`);
  assert.equal(stderr, "");
  assert.equal(code, 1);
  assert.deepEqual(report, {
    valid: true,
    mode: "file",
    path: "workflow.yaml",
    workflow_id: "courier",
    loader_version: report.loader_version,
    schema_version: null,
    error_count: 0,
    warning_count: 1,
    strict: { requested: true, failed: true },
    diagnostics: [
      {
        code: "UNKNOWN_RETRY_KEY",
        severity: "warn",
        message: WARNING,
        scope: "step",
        key: "jitter",
        step: "pull",
        line: 12,
        column: 7,
        endLine: 12,
        endColumn: 13,
      },
    ],
    errors: [],
    checks_not_run: [],
    extension_keys: [],
  });
  assert.deepEqual(Object.keys(report), [
    "valid",
    "mode",
    "path",
    "workflow_id",
    "loader_version",
    "schema_version",
    "error_count",
    "warning_count",
    "strict",
    "diagnostics",
    "errors",
    "checks_not_run",
    "extension_keys",
  ]);
  assert.deepEqual(Object.keys(report.diagnostics[0]), [
    "code",
    "severity",
    "message",
    "scope",
    "key",
    "step",
    "line",
    "column",
    "endLine",
    "endColumn",
  ]);
});

test("in --json a misspelled key says what was meant, advice has no place, and extension keys are listed", async (t) => {
  const text = courier("retry:", "  max_attempts: 2").replace(
    "version: 1\n",
    "version: 1\ndescriptio: Carries things.\nx-team: post\n",
  );
  const report = JSON.parse((await validate(t, text, "--json")).stdout);
  assert.deepEqual(
    report.diagnostics.map((warning) => Object.keys(warning)),
    [
      ["code", "severity", "message", "scope", "key", "id", "did_you_mean", "line", "column", "endLine", "endColumn"],
      ["code", "severity", "scope", "step", "message"],
    ],
  );
  assert.deepEqual(
    report.diagnostics.map(({ severity, scope }) => [severity, scope]),
    [
      ["error", "workflow"],
      ["warn", "step"],
    ],
  );
  assert.deepEqual(report.errors, [
    "Invalid: 2 warnings, 1 escalated to an error by policy: UNKNOWN_WORKFLOW_KEY 'descriptio'",
  ]);
  assert.deepEqual(report.extension_keys, ["x-team"]);
});

test("in --json errors stand without the prefix, but for those that end the loading at once", async (t) => {
  const errors = async (text) => JSON.parse((await validate(t, text, "--json")).stdout).errors;
  assert.deepEqual(await errors(courier("timeout_seconds: 0")), [
    "Step 'pull': 'timeout_seconds' must be a positive integer (step at line 5)",
  ]);
  assert.deepEqual(await errors("- a\n- b\n"), ["Invalid workflow: Workflow must be a non-null object"]);
  assert.match((await errors("a: [\n"))[0], /^YAML parse error: /);
});

test("a person at a terminal sees the place, marked, and how to mend it", async (t) => {
  const cwd = await folderWith(t, { "workflow.yaml": courier("retry:", "  max_attempt: 2", "timeout_seconds: 5") });
  const { stderr } = await stepRetry(["validate", "workflow.yaml"], { cwd, env: { FORCE_COLOR: "1", NO_COLOR: "1" } });
  assert.deepEqual(stderr.split("\n").slice(0, 4), [
    "⚠ step 'pull': unknown key 'max_attempt' (line 10) — ignored (did you mean 'max_attempts'?)",
    "  --> workflow.yaml:10:7",
    "   10 |       max_attempt: 2",
    "      |       ^^^^^^^^^^^",
  ]);
  assert.match(stderr, /^ {6}= fix: /m);
});

const ESCAPE = "\x1b";

test("colour is for terminals, and NO_COLOR takes it away", async (t) => {
  const cwd = await folderWith(t, { "workflow.yaml": UNKNOWN_RETRY_KEY });
  const run = async (env) => (await stepRetry(["validate", "workflow.yaml"], { cwd, env })).stderr;
  assert.ok((await run({ FORCE_COLOR: "1" })).startsWith(`${ESCAPE}[33m⚠${ESCAPE}[0m `));
  assert.ok(!(await run({ FORCE_COLOR: "1", NO_COLOR: "1" })).includes(ESCAPE));
  assert.ok(!(await run({})).includes(ESCAPE));
});

test("what a file says cannot steer the terminal", async (t) => {
  const { stderr } = await validate(t, courier('"\\e[2Jfoo": 1'));
  assert.ok(!stderr.includes(ESCAPE));
  assert.ok(stderr.includes("\\x1b[2Jfoo"));
});
