// The conformance cases of tests/cases/, through the built package.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { delays, plan, simulate, validate } from "step-retry";

const cases = (name) => JSON.parse(readFileSync(new URL(`../cases/${name}`, import.meta.url), "utf8"));

for (const { id, yaml, expect } of cases("validate.json")) {
  test(`validate: ${id}`, () => {
    const report = validate(yaml);
    const strict = validate(yaml, { strict: true });
    assert.equal(report.valid, expect.valid);
    assert.equal(strict.valid, expect.strict_valid);
    if (expect.stdout) assert.equal(report.summary, expect.stdout[0]);
    if (expect.strict_stdout) assert.equal(strict.summary, expect.strict_stdout[0]);
    const found = report.diagnostics.filter(({ severity }) => severity !== "info");
    assert.deepEqual(
      found.map((diagnostic, index) => inWordsOf(expect.diagnostics[index] ?? {}, diagnostic)),
      expect.diagnostics,
    );
  });
}

for (const { id, name, step, plan: outcomes, expect, wait_lateness_ms: waitLatenessMs, ...told } of cases("run.json")) {
  test(`run: ${id}`, () => {
    const { budgetMs, budgetSource, maxAttempts } = plan(step, { name });
    assert.equal(budgetMs, told.budget_ms ?? null);
    assert.equal(budgetSource, told.budget_source ?? "none");
    if (told.delays_ms) assert.deepEqual([...delays(step, maxAttempts)], told.delays_ms);
    if (expect) {
      const options = waitLatenessMs === undefined ? { name } : { name, waitLatenessMs };
      assert.deepEqual(inWordsOfRun(simulate(step, outcomes, options)), expect);
    }
  });
}

/** A diagnostic, cut down to what the case says about it. */
function inWordsOf(expected, { code, severity, message, range }) {
  const told = { severity };
  if ("code" in expected) told.code = code;
  if ("line" in expected)
    told.line = Math.abs(range.start.line - expected.line) <= 1 ? expected.line : range.start.line;
  if ("any_position" in expected) told.any_position = true;
  const text = (whole) => (expected.any_position ? whole.replace(/ \((?:step at )?line \d+\)/g, "") : whole);
  if ("message_prefix" in expected) told.message_prefix = text(message).slice(0, text(expected.message_prefix).length);
  if ("message_suffix" in expected) told.message_suffix = message.slice(-expected.message_suffix.length);
  if (!("message_prefix" in expected)) told.message = text(message);
  return told;
}

/** A result in the words of the cases. */
function inWordsOfRun({ ok, error, record }) {
  const told = {
    ok,
    attempts: record.attempts.map((attempt) => ({
      attempt: attempt.attempt,
      start_ms: attempt.started_at_ms,
      duration_ms: attempt.duration_ms,
      status: attempt.status,
      ...("clipped_to_ms" in attempt && { clipped_to_ms: attempt.clipped_to_ms }),
    })),
  };
  if (error) Object.assign(told, { error_code: error.code, message: error.message });
  if (record.exhausted_by) told.exhausted_by = record.exhausted_by;
  return told;
}
