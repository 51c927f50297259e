// Exported policies: what is written is read again by a model of each engine that is not the core's.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { delays } from "step-retry";
import { EXPORT_TARGETS, exportPolicy, IMPORT_SOURCES, importPolicy } from "step-retry/export";
import { MODELS } from "../engines/models.mjs";
import { random } from "./random.mjs";

const TARGETS = Object.keys(MODELS);
const ORDER = ["exact", "exact-with-code", "approximate", "refused"];
const WAIT_CODES = /^(delay-|linear-|backoff-|cap-|jitter-)/;

const close = (a, b) => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a));

/** A step of few attempts whose numbers meet each other often: whole seconds, caps at the base, limits in reach. */
function anyStep({ chance, pick, whole }) {
  const base = pick([0, 1, 250, 500, 1000, 1500, 2000, 3000, 60000, 7200000, 0.5]);
  const retry = {
    max_attempts: pick([1, 2, 3, 4, 5, 9, 21, 22, 70]),
    backoff: pick(["fixed", "linear", "exponential"]),
  };
  if (chance(0.9)) retry.base_delay_ms = base;
  if (chance(0.6)) retry.max_delay_ms = base * pick([0, 0.5, 1, 1.5, 2, 2.5, 3, 4, 7]);
  if (chance(0.3)) retry.total_timeout_seconds = 1 + whole(200);
  const step = { retry };
  if (chance(0.8)) step.timeout_seconds = 1 + whole(60);
  if (chance(0.4)) step.idempotent = true;
  if (step.idempotent && chance(0.5)) retry.on_timeout = true;
  return step;
}

/** The wait losses of an export, and whether code makes the waits. */
function waitLosses({ losses }) {
  const ours = losses.filter(({ code }) => WAIT_CODES.test(code));
  return { ours, byCode: ours.some(({ verdict }) => verdict === "exact-with-code") };
}

test("the settings mean there what the table of waits says, for any step and engine", () => {
  const draw = random(51);
  for (let round = 0; round < 1500; round++) {
    const step = anyStep(draw);
    for (const target of TARGETS) {
      const exported = exportPolicy(step, target);
      const told = `${target} ${JSON.stringify(step)} ${JSON.stringify(exported.value)}`;
      const { byCode } = waitLosses(exported);
      const loops = target === "restate" && exported.value.maxRetryAttempts === 1;
      const { attempts, wait } = MODELS[target](exported.value);
      if (!loops && !exported.losses.some(({ code }) => code === "attempts-range"))
        assert.equal(exported.waits.length, attempts - 1, told);
      if (byCode || loops) continue;
      for (const row of exported.waits) {
        const [least, most] = [wait(row.wait)].flat();
        assert.ok(close(row.theirsMs, least), `${told}: wait ${row.wait} is ${least}, told as ${row.theirsMs}`);
        assert.ok(close(row.theirsMaxMs ?? row.theirsMs, most ?? least), told);
      }
    }
  }
});

test("waits differ exactly where a loss says so, and the verdict is that of the worst loss", () => {
  const draw = random(52);
  for (let round = 0; round < 1500; round++) {
    const step = anyStep(draw);
    const own = Array.from(delays(step, 100));
    for (const target of TARGETS) {
      const exported = exportPolicy(step, target);
      const told = `${target} ${JSON.stringify(step)}`;
      for (const [index, { oursMs, wait }] of exported.waits.entries())
        assert.deepEqual([wait, oursMs], [index + 1, own[index]], told);
      const differ = exported.waits.some(
        ({ oursMs, theirsMs, theirsMaxMs = theirsMs }) => !close(oursMs, theirsMs) || !close(oursMs, theirsMaxMs),
      );
      const { ours, byCode } = waitLosses(exported);
      assert.equal(ours.length > 0 && !byCode, differ, told);
      const worst = Math.max(0, ...exported.losses.map(({ verdict }) => ORDER.indexOf(verdict)));
      assert.equal(exported.verdict, ORDER[worst], told);
    }
  }
});

test("an engine that rounds never waits for less than the step says", () => {
  const draw = random(53);
  for (let round = 0; round < 1500; round++) {
    const step = anyStep(draw);
    for (const target of TARGETS) {
      const { losses, waits } = exportPolicy(step, target);
      if (losses.some(({ code }) => code === "delay-rounded" || code === "delay-zero"))
        for (const { oursMs, theirsMs } of waits) assert.ok(theirsMs >= oursMs, `${target} ${JSON.stringify(step)}`);
    }
  }
});

test("a step that attests nothing is refused where it would be run again after a timeout or a final failure", () => {
  const draw = random(54);
  for (let round = 0; round < 500; round++) {
    const { idempotent: _, ...step } = anyStep(draw);
    delete step.retry.on_timeout;
    if (exportPolicy(step, "graphile-worker").waits.length > 0)
      assert.equal(exportPolicy(step, "graphile-worker").verdict, "refused");
  }
});

test("a billion attempts are exported as fast as three", () => {
  const step = { retry: { max_attempts: 1e9, backoff: "linear", base_delay_ms: 1, max_delay_ms: 5e8 } };
  const { verdict, waits } = exportPolicy(step, "cloudflare");
  assert.deepEqual([verdict, waits.length], ["exact-with-code", 100]);
  const longest = exportPolicy({ retry: { ...step.retry, max_delay_ms: 1e9 } }, "cloudflare");
  assert.ok(!longest.losses.some(({ code }) => code === "cap-missing"), "a cap that only the last wait could reach");
});

test("the golden cases hold through the border too", () => {
  const cases = JSON.parse(readFileSync(new URL("../export/cases.json", import.meta.url), "utf8"));
  for (const [target, { cases: all }] of Object.entries(cases)) {
    for (const { says, step, verdict, theirs, value } of all) {
      const exported = exportPolicy(step, target, { name: "pull" });
      assert.equal(exported.verdict, verdict, `${target}: ${says}`);
      if (value !== undefined) assert.deepEqual(exported.value, value, `${target}: ${says}`);
      if (theirs !== undefined)
        assert.deepEqual(
          exported.waits.map(({ theirsMs }) => theirsMs),
          theirs,
          `${target}: ${says}`,
        );
    }
  }
});

test("the lists of targets and sources are those of the core", () => {
  assert.deepEqual(EXPORT_TARGETS.slice().sort(), TARGETS.slice().sort());
  const listed = (call) => {
    try {
      return call();
    } catch ({ message }) {
      return message.replace(/.*must be one of /, "").split(", ");
    }
  };
  assert.deepEqual(
    listed(() => exportPolicy({}, "")),
    [...EXPORT_TARGETS],
  );
  assert.deepEqual(
    listed(() => importPolicy("", {})),
    [...IMPORT_SOURCES],
  );
});

test("what cannot be used is refused with a code and a path", () => {
  assert.throws(() => exportPolicy({}, "airflow"), { code: "INVALID_ARGUMENT", path: ["target"] });
  assert.throws(() => exportPolicy({}, undefined), { code: "INVALID_ARGUMENT", path: ["target"] });
  assert.throws(() => exportPolicy(null, "dbos"), { code: "INVALID_ARGUMENT", path: ["step"] });
  assert.throws(() => exportPolicy({}, "dbos", { name: 5 }), { code: "INVALID_ARGUMENT", path: ["options", "name"] });
  assert.throws(() => exportPolicy({ retry: { max_attempts: 0 } }, "dbos"), {
    code: "INVALID_VALUE",
    path: ["retry", "max_attempts"],
  });
  assert.throws(() => exportPolicy({ retry: { on_timeout: true } }, "dbos"), { code: "ON_TIMEOUT_NEEDS_IDEMPOTENT" });
});

test("any name is written so that no text breaks", () => {
  for (const name of ['a"b', "`1`", "\u2028\n\\", "💥", "1 2", "-", "", "constructor", "*/ */"]) {
    for (const target of TARGETS) {
      const { text } = exportPolicy({ timeout_seconds: 1 }, target, { name });
      assert.doesNotMatch(text, /\{\{|\}\}$|\n[?@]/, `${target} ${name}`);
    }
  }
});

test("out and in again: a step that an engine does exactly comes back with the same waits and limits", () => {
  const draw = random(55);
  let compared = 0;
  for (let round = 0; round < 2000; round++) {
    const step = anyStep(draw);
    for (const target of ["temporal", "step-functions"]) {
      const exported = exportPolicy(step, target);
      if (ORDER.indexOf(exported.verdict) > 1 || waitLosses(exported).byCode) continue;
      const { step: back } = importPolicy(target, exported.value);
      const told = `${target} ${JSON.stringify(step)} came back as ${JSON.stringify(back)}`;
      const waits = Array.from(delays(back, 100));
      assert.equal(waits.length, exported.waits.length, told);
      for (const [index, { oursMs }] of exported.waits.entries()) assert.ok(close(waits[index], oursMs), told);
      if (!exported.text.includes("within(")) {
        const limit = target === "temporal" ? exported.value.startToCloseTimeout / 1000 : exported.value.TimeoutSeconds;
        assert.equal(back.timeout_seconds, limit, told);
      }
      compared++;
    }
  }
  assert.ok(compared > 500, `${compared} compared`);
});
