// While one step is typed in, an editor checks that step alone: its report is the one of the whole file.

import assert from "node:assert/strict";
import { test } from "node:test";
import { EditorState } from "@codemirror/state";
import { file } from "../../benches/workflow-file.mjs";
import { reportOf, stepRetry } from "../../pkg/dist/esm/codemirror.js";
import { validate } from "../../pkg/dist/esm/index.js";
import { random } from "./random.mjs";

const FILES = 150;
const EDITS = 25;

const whole = (state) => validate(state.doc.toString(), { recover: true });

/** Whether `next` was made from `last` by a look at one step: what was not looked at is the very same. */
const isFromOneStep = (last, next) =>
  next.steps.some((step) => last.steps.some((other) => step === other || (step.plan && step.plan === other.plan)));

const change = (state, changes) => state.update({ changes }).state;

/** Lines of a step, each as it may stand in one. */
const LINES = [
  "description: Fetch.",
  'description: it\'s "so"',
  "description: |\n      One line.\n\n      depends_on: [nobody]",
  "description: >-\n      folded\n    # no comment",
  "timeout_seconds: 30",
  "timeout_seconds: 0",
  "timeout_second: 5",
  "idempotent: true",
  "retry:\n      max_attempts: 3\n      on_timeout: true",
  "retry:\n      max_attempts: 3\n      backof: fixed\n\n      # waits\n      base_delay_ms: 100",
  "retry: { max_attempts: 4, backoff: linear } # short",
  "retry: 3",
  "x-mine: 1",
  "trust: high",
  "input_schema:\n      type: object\n      properties: { a: { type: string } }",
  "tools: [a, b]",
  "use_template: base",
  "trigger_rule: all_done",
];

/** What is typed, pasted or picked. */
const PIECES = [
  ..."x0: -#\"'[]{}|,&*!>\n\t\r?%é",
  "😀",
  "  ",
  ": ",
  "\n    ",
  "\n      ",
  "\n    retry:\n      max_attempts: 2",
  "\n    bas",
  "depends_on: [step_1]",
  "\n    depends_on:\n      - step_0\n      - step_2",
  "execution: finalizer",
  "\n  other:\n    use_template: t",
  "---\n",
  "# note",
  " &a",
  "*a",
  "<<: *a",
];

const KINDS = ["auto", "agent", "guard", "finalizer", "autp"];
const SOUND = ["description: D.", "timeout_seconds: 9"];
const BLOCK = "retry:\n      max_attempts: 2\n      base_delay_ms: 100";

function someStep(dice, at, count) {
  const isSound = dice.chance(0.85);
  const own = [`execution: ${isSound ? "auto" : dice.pick(KINDS)}`, "handler: h"];
  if (at > 0 && dice.chance(0.4)) own.push(`depends_on: [step_${dice.whole(at)}]`);
  else if (dice.chance(0.03)) own.push(`depends_on:\n    - step_${dice.whole(count)}\n    - step_${at}`);
  const lines = [...own, ...(isSound ? SOUND : LINES.filter(() => dice.chance(0.25)))];
  // Some advice, which an error in another step keeps back.
  if (isSound) lines.push(dice.chance(0.3) ? `${BLOCK}\n      max_delay_ms: 900` : BLOCK);
  const keyOf = (line) => line.split(":", 1)[0];
  const once = lines.filter((line, nth) => lines.findIndex((other) => keyOf(other) === keyOf(line)) === nth);
  const name = dice.chance(0.1) ? `"step_${at}":` : `step_${at}:${dice.chance(0.1) ? " # own" : ""}`;
  return `  ${name}\n${once.map((line) => `    ${line}\n`).join("")}${dice.chance(0.2) ? "# between\n\n" : ""}`;
}

function someFile(dice) {
  const count = 4 + dice.whole(20);
  const head = `id: w\nname: W\n${dice.chance(0.1) ? "x-a: 1\n" : ""}version: 1\nsteps:\n`;
  const tail = dice.chance(0.3) ? "\ntemplates:\n  base:\n    description: B.\n" : "";
  return `${head}${Array.from({ length: count }, (_, at) => someStep(dice, at, count)).join("")}${tail}`;
}

/** A change as people make them: most go on where the last one was, and are of a letter. */
function someChange(dice, doc, last) {
  const near = Math.min(doc.length, Math.max(0, last + dice.whole(9) - 4));
  const at = dice.chance(0.8) ? near : dice.whole(doc.length);
  const line = doc.lineAt(at);
  if (dice.chance(0.25)) return { from: at, to: Math.min(doc.length, at + 1 + dice.whole(dice.chance(0.9) ? 2 : 60)) };
  if (dice.chance(0.05)) return { from: line.from, to: Math.min(doc.length, line.to + 1) };
  if (dice.chance(0.3)) return { from: line.to, insert: dice.pick(PIECES) };
  return { from: at, insert: dice.chance(0.8) ? dice.pick([..."abcdeors_0123456789"]) : dice.pick(PIECES) };
}

test("after any change the report is that of the whole file, and most are made from one step", (t) => {
  const counts = { all: 0, sound: 0, fromOneStep: 0 };
  for (let seed = 0; seed < FILES; seed++) {
    const dice = random(seed);
    let state = EditorState.create({ doc: someFile(dice), extensions: [stepRetry()] });
    let last = dice.whole(state.doc.length);
    for (let nth = 0; nth < EDITS; nth++) {
      const edit = someChange(dice, state.doc, last);
      const before = state;
      state = change(state, edit);
      last = edit.from + (edit.insert?.length ?? 0);
      const expected = whole(state);
      const told = `seed ${seed}, edit ${nth} ${JSON.stringify(edit)} in\n${before.doc}\n---\n${state.doc}`;
      assert.deepEqual(reportOf(state), expected, told);
      const isSound = !expected.diagnostics.some(({ code }) => code === "YAML_PARSE_ERROR");
      counts.all += 1;
      counts.sound += isSound;
      counts.fromOneStep += isSound && isFromOneStep(reportOf(before), reportOf(state));
      // A slip far from anything: without taking most of them back no file would stay sound for long.
      if (!isSound && dice.chance(0.8)) state = before;
    }
  }
  t.diagnostic(JSON.stringify(counts));
  assert.ok(counts.fromOneStep > counts.sound / 2, JSON.stringify(counts));
});

test("a key and its value typed letter by letter in a long file take the short way, each letter", () => {
  const doc = file(77);
  const at = doc.indexOf("    retry:", doc.length / 2);
  let state = EditorState.create({ doc, extensions: [stepRetry()] });
  const before = state.update({ changes: { from: at, insert: "    \n" }, selection: { anchor: at + 4 } });
  state = before.state;
  for (const letter of "llm_timeout_seconds: 30x") {
    const { head } = state.selection.main;
    const next = state.update({ changes: { from: head, insert: letter }, selection: { anchor: head + 1 } }).state;
    assert.deepEqual(reportOf(next), whole(next), letter);
    assert.ok(isFromOneStep(reportOf(state), reportOf(next)), letter);
    state = next;
  }
});

test("what is changed elsewhere, or in two steps at once, has the whole file checked", () => {
  const doc = file(12);
  const state = EditorState.create({ doc, extensions: [stepRetry()] });
  const [first, second] = [doc.indexOf("max_attempts: 3"), doc.lastIndexOf("max_attempts: 3")];
  const edits = {
    head: { from: 0, insert: "# a file\n" },
    "a name": { from: doc.indexOf("step_5:"), insert: "x" },
    "two steps": [first, second].map((from) => ({ from, to: from + 3 })),
    "a step more": { from: doc.indexOf("  step_5:"), insert: "  other:\n    use_template: t\n" },
    "a step less": { from: doc.indexOf("  step_5:"), to: doc.indexOf("  step_6:") },
    "a document's end": { from: doc.indexOf("    retry:"), insert: "---\n" },
  };
  for (const [what, changes] of Object.entries(edits)) {
    const next = change(state, changes);
    assert.deepEqual(reportOf(next), whole(next), what);
    assert.ok(!isFromOneStep(reportOf(state), reportOf(next)), what);
  }
});
