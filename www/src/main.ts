/**
 * The playground: a workflow file, its problems, and the plan of one of its steps.
 *
 * @module
 */

import { type Report, validate } from "step-retry";
import { byId, html } from "./dom.js";
import { Editor } from "./editor.js";
import { EXAMPLES } from "./examples.js";
import { isPlanned, type PlannedStep, planView } from "./plan-view.js";
import { showProblems } from "./problems.js";

const source = byId("source", HTMLTextAreaElement);
const editor = new Editor(source, byId("line-numbers", HTMLElement));
const verdict = byId("verdict", HTMLElement);
const problems = byId("problems", HTMLElement);
const examplePicker = byId("example", HTMLSelectElement);
const stepPicker = byId("step", HTMLSelectElement);
const planPane = byId("plan", HTMLElement);

/** The steps that can be shown, from the last check. */
let steps: PlannedStep[] = [];
/** How wide the plan was when it was last drawn, in CSS pixels. */
let drawnWidth = 0;

function check(): void {
  const report = validate(editor.text, { recover: true });
  showVerdict(report);
  showProblems(problems, report.diagnostics, (range) => editor.jumpTo(range));
  editor.mark(report.diagnostics);
  steps = report.steps.filter(isPlanned);
  offerSteps();
  showPlan();
}

function showVerdict(report: Report): void {
  const line = report.summary.split("\n", 1)[0] ?? "";
  // The same words again would be read out again.
  if (verdict.textContent !== line) verdict.textContent = line;
  verdict.classList.toggle("valid", report.valid);
}

/** Offers the steps by name, the chosen one staying chosen while it exists. */
function offerSteps(): void {
  const names = steps.map(({ name }) => name);
  const offered = Array.from(stepPicker.options, ({ value }) => value);
  if (names.length === offered.length && names.every((name, index) => name === offered[index])) return;
  const position = stepPicker.selectedIndex;
  const chosen = stepPicker.value;
  stepPicker.replaceChildren(...names.map((name) => html("option", { value: name }, name)));
  // A step that is being renamed keeps its place in the list.
  stepPicker.selectedIndex = names.includes(chosen)
    ? names.indexOf(chosen)
    : Math.max(0, Math.min(position, names.length - 1));
}

function showPlan(): void {
  const step = steps[stepPicker.selectedIndex];
  drawnWidth = planPane.clientWidth;
  const view =
    step === undefined
      ? [html("p", { class: "nothing" }, "No step has limits that can be read.")]
      : planView(step, drawnWidth);
  stepPicker.disabled = step === undefined;
  planPane.replaceChildren(...view);
}

/** The picture has a width of its own; the height of the pane follows from it and is no reason to draw. */
function redrawAtNewWidth(): void {
  if (planPane.clientWidth !== drawnWidth) showPlan();
}

/** Shows the plan of the step that the cursor is in. */
function followCursor(): void {
  if (document.activeElement !== source) return;
  const index = steps.findIndex(
    ({ range }) => range.start.offset <= editor.cursor && editor.cursor <= range.end.offset,
  );
  if (index < 0 || index === stepPicker.selectedIndex) return;
  stepPicker.selectedIndex = index;
  showPlan();
}

function openExample(): void {
  editor.text = EXAMPLES.get(examplePicker.value) ?? "";
  stepPicker.selectedIndex = 0;
  check();
}

examplePicker.append(...Array.from(EXAMPLES.keys(), (name) => html("option", { value: name }, name)));
examplePicker.addEventListener("change", openExample);
source.addEventListener("input", check);
stepPicker.addEventListener("change", showPlan);
document.addEventListener("selectionchange", followCursor);
new ResizeObserver(redrawAtNewWidth).observe(planPane);
openExample();
