// `step-retry validate` for other programs: annotations, SARIF, many files, standard input.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { courier, folderWith, stepRetry } from "./command.mjs";

const MISSPELLED = courier("timeout_second: 5");
const BAD = courier("timeout_seconds: 0");

/** The SARIF 2.1.0 schema and the checker that go with it, from a package made for testing SARIF. */
function sarifErrors(log) {
  const require = createRequire(createRequire(import.meta.url).resolve("@microsoft/jest-sarif"));
  const Ajv = require("ajv");
  const ajv = new Ajv({ schemaId: "auto", validateSchema: false, allErrors: true });
  ajv.addMetaSchema(require("ajv/lib/refs/json-schema-draft-04.json"));
  return ajv.validate(require("./schemas/sarif-2.1.0-rtm.5.json"), log) ? [] : ajv.errors;
}

test("github: a workflow command for each finding, at its place", async (t) => {
  const cwd = await folderWith(t, { "a,b.yaml": BAD });
  assert.deepEqual(await stepRetry(["validate", "--format", "github", "a,b.yaml"], { cwd }), {
    stdout:
      "::error file=a%2Cb.yaml,line=9,endLine=9,col=22,endColumn=23,title=INVALID_VALUE::Step 'pull': 'timeout_seconds' must be a positive integer (step at line 5)\n",
    stderr: "",
    code: 1,
  });
});

test("github: a file that cannot be read is an error on that file", async (t) => {
  const cwd = await folderWith(t, {});
  const { stdout, code } = await stepRetry(["validate", "--format", "github", "50%.yaml"], { cwd });
  assert.equal(
    stdout,
    "::error file=50%25.yaml::Failed to read workflow file: ENOENT: no such file or directory, open '50%25.yaml'\n",
  );
  assert.equal(code, 1);
});

test("sarif: a log that its schema accepts, with places, fixes and unreadable files", async (t) => {
  const cwd = await folderWith(t, { "one two/workflow.yaml": MISSPELLED, "bad.yaml": BAD, "good.yaml": courier() });
  const { stdout, stderr, code } = await stepRetry(
    ["validate", "--format", "sarif", "one two", "bad.yaml", "good.yaml", "none.yaml"],
    { cwd },
  );
  assert.deepEqual([stderr, code], ["", 1]);
  const log = JSON.parse(stdout);
  assert.deepEqual(sarifErrors(log), []);
  const [run] = log.runs;
  assert.deepEqual(
    run.results.map(({ ruleId, level }) => [ruleId, level]),
    [
      ["UNKNOWN_STEP_KEY", "error"],
      ["INVALID_VALUE", "error"],
    ],
  );
  for (const { ruleId, ruleIndex } of run.results) assert.equal(run.tool.driver.rules[ruleIndex].id, ruleId);
  const [misspelled] = run.results;
  assert.deepEqual(misspelled.locations[0].physicalLocation, {
    artifactLocation: { uri: "one%20two/workflow.yaml" },
    region: { startLine: 9, startColumn: 5, endLine: 9, endColumn: 19 },
  });
  assert.equal(misspelled.fixes[0].artifactChanges[0].replacements[0].insertedContent.text, "timeout_seconds");
  assert.equal(run.invocations[0].executionSuccessful, false);
  assert.equal(
    run.invocations[0].toolExecutionNotifications[0].locations[0].physicalLocation.artifactLocation.uri,
    "none.yaml",
  );
});

test("sarif: the schema would notice a wrong log", () => {
  assert.notDeepEqual(sarifErrors({ version: "2.1.0", runs: [{ tool: {} }] }), []);
});

test("several files as JSON are a list", async (t) => {
  const cwd = await folderWith(t, { "a.yaml": courier(), "b.yaml": BAD });
  const reports = JSON.parse((await stepRetry(["validate", "--json", "a.yaml", "b.yaml", "c.yaml"], { cwd })).stdout);
  assert.deepEqual(
    reports.map(({ path, valid }) => [path, valid]),
    [
      ["a.yaml", true],
      ["b.yaml", false],
      ["c.yaml", false],
    ],
  );
  assert.match(reports[2].errors[0], /^Failed to read workflow file: /);
});

test("--recursive finds every workflow file below a folder, but none of installed packages", async (t) => {
  const cwd = await folderWith(t, {
    "flows/b/workflow.yaml": courier(),
    "flows/a/deep/workflow.yml": BAD,
    "flows/a/notes.yaml": "not: a workflow",
    "flows/node_modules/x/workflow.yaml": BAD,
    "flows/.cache/workflow.yaml": BAD,
    "single.yaml": courier(),
  });
  const { stdout, stderr, code } = await stepRetry(["validate", "--recursive", "flows", "single.yaml"], { cwd });
  assert.equal(stdout, "flows/b/workflow.yaml: Valid: courier v1 (1 step)\nsingle.yaml: Valid: courier v1 (1 step)\n");
  assert.match(stderr, /^flows\/a\/deep\/workflow\.yml: Invalid workflow: [^\n]*\n$/);
  assert.equal(code, 1);
});

test("--recursive where there is nothing to find says so", async (t) => {
  const cwd = await folderWith(t, { "flows/readme.md": "" });
  assert.deepEqual(await stepRetry(["validate", "--recursive", "flows"], { cwd }), {
    stdout: "",
    stderr: "There is no workflow.yaml in 'flows' or below it\n",
    code: 1,
  });
});

test("- is standard input, for every command", async () => {
  const input = courier("timeout_seconds: 2");
  assert.equal((await stepRetry(["validate", "-"], { input })).stdout, "Valid: courier v1 (1 step)\n");
  assert.equal(JSON.parse((await stepRetry(["validate", "--json", "-"], { input })).stdout).path, "<stdin>");
  assert.match((await stepRetry(["plan", "-", "pull"], { input })).stdout, /^pull: Tries once; stops after 2 s\./);
});

test("a format that does not exist is wrong usage", async () => {
  const { stderr, code } = await stepRetry(["validate", "--format", "xml", "a.yaml"]);
  assert.match(stderr, /there is no format 'xml', only text, json, github, sarif/);
  assert.equal(code, 2);
});
