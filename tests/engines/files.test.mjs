// Exported JSON and YAML is what each engine's own schema or types accept.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { exportPolicy } from "step-retry/export";
import ts from "typescript";
import { parse } from "yaml";
import { STEPS, workFolder } from "./written.mjs";

const require = createRequire(import.meta.url);
const { getLanguageService, TextDocument } = require("amazon-states-language-service");

/** What the language service of Step Functions has against a state machine. */
async function complaints(text) {
  const service = getLanguageService({});
  const document = TextDocument.create("file:///machine.asl.json", "asl", 1, text);
  const found = await service.doValidation(document, service.parseJSONDocument(document));
  return found.map(({ message }) => message);
}

test("Step Functions accepts the state machines", async () => {
  for (const [name, step] of Object.entries(STEPS)) {
    const { text, value } = exportPolicy(step, "step-functions", { name });
    assert.deepEqual(JSON.parse(text).States[name], value);
    assert.deepEqual(await complaints(text), [], name);
  }
  const { text } = exportPolicy(STEPS.fixed, "step-functions", { name: "pull" });
  assert.notDeepEqual(await complaints(text.replace('"IntervalSeconds": 1', '"IntervalSeconds": "1"')), []);
});

test("Argo's own schema accepts the templates", async () => {
  const { WorkflowTemplate } = await import("@kubernetes-models/argo-workflows/argoproj.io/v1alpha1/WorkflowTemplate");
  for (const [name, step] of Object.entries(STEPS)) {
    const { text, value } = exportPolicy(step, "argo", { name });
    const template = parse(text);
    assert.deepEqual({ ...template.spec.templates[0], ...value }, template.spec.templates[0]);
    new WorkflowTemplate(template).validate();
  }
  const wrong = parse(exportPolicy(STEPS.fixed, "argo").text);
  wrong.spec.templates[0].retryStrategy.limit = [];
  assert.throws(() => new WorkflowTemplate(wrong).validate());
});

test("GitHub Actions: the steps are steps by the types of a workflow, and their inputs are the action's", () => {
  const folder = workFolder("github");
  const steps = Object.entries(STEPS).map(
    ([name, step]) => parse(exportPolicy(step, "github-actions", { name }).text)[0],
  );
  writeFileSync(
    `${folder}steps.mts`,
    `import type { GeneratedWorkflowTypes } from "@github-actions-workflow-ts/lib";
     export const steps: GeneratedWorkflowTypes.Step[] = ${JSON.stringify(steps)};`,
  );
  const program = ts.createProgram([`${folder}steps.mts`], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  });
  const found = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
  assert.deepEqual(found, []);
  const inputs = ["max_attempts", "timeout_seconds", "retry_wait_seconds", "retry_on", "retry_on_exit_code", "command"];
  for (const { with: given } of steps)
    assert.deepEqual(
      Object.keys(given).filter((key) => !inputs.includes(key)),
      [],
    );
});

test("Google Workflows: the texts are YAML that holds the value where it belongs", () => {
  for (const [name, step] of Object.entries(STEPS)) {
    const { text, value } = exportPolicy(step, "google-workflows", { name });
    const { main, retryable } = parse(text);
    assert.deepEqual(Object.values(main.steps[0])[0], value);
    assert.equal(retryable === undefined, value.retry === undefined);
  }
});

test("the versions of the engines are those that the texts were made for", () => {
  const { devDependencies, optionalDependencies } = JSON.parse(
    readFileSync(new URL("package.json", import.meta.url), "utf8"),
  );
  for (const [name, version] of Object.entries({ ...devDependencies, ...optionalDependencies }))
    assert.match(version, /^\d/, `${name} is pinned`);
});
