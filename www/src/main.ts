/**
 * The playground: a workflow file, its problems, and what the retries of one of its steps will do.
 *
 * @module
 */

import { type Report, type StepSummary, validate } from "step-retry";
import { explainLimits } from "../../pkg/src/codemirror/explain.js";
import { html, say } from "../../pkg/src/element/dom.js";
import { LONG, PlainSource } from "../../pkg/src/element/plain-source.js";
import { isPlanned, type PlannedStep, PlanView, sayPlan } from "../../pkg/src/element/plan-view.js";
import { ProblemList, verdictOf } from "../../pkg/src/element/problems.js";
import { caretAt, type Source, type SourceEvents } from "../../pkg/src/element/source.js";
import { PAGE } from "../../pkg/src/element/texts.js";
import { coreReady, pause } from "./core.js";
import { byId } from "./dom.js";
import { EXAMPLES } from "./examples.js";
import { download, type FileShape, fromFile, hasMixedEnds, onDrop, PLAIN_SHAPE, readFile, written } from "./files.js";
import { keepPlain, keepText, keptPlain, keptText } from "./kept.js";
import { isLink, pack, unpack } from "./link.js";
import { markdown } from "./markdown.js";
import { Pane } from "./pane.js";
import { Tabs } from "./tabs.js";

const verdict = byId("verdict", HTMLElement);
const news = byId("news", HTMLElement);
const examplePicker = byId("example", HTMLSelectElement);
const stepPicker = byId("step", HTMLSelectElement);
const sentence = byId("sentence", HTMLElement);
const plainToggle = byId("plain", HTMLInputElement);
const mendAll = byId("mend-all", HTMLButtonElement);
const filePicker = byId("file", HTMLInputElement);

let source: Source;
let report: Report;
/** The step whose name was chosen; it stays while the file has it. */
let chosen = 0;
/** The names in the list of steps. */
let offered: readonly string[] = [];
/** How the text is written in a file. */
let shape = PLAIN_SHAPE;
/** The shapes of texts that were put in the place of one another: undoing that brings back the shape too. */
const shapes = new Map<string, FileShape>();

const plan = new PlanView(showStep);
const form = new Pane<StepSummary>(async () => {
  const { LimitsForm } = await import("./form.js");
  return new LimitsForm({ text: () => source.text, write: writeWhole });
});
const rehearsal = new Pane<PlannedStep>(async () => new (await import("./rehearsal.js")).Rehearsal());
const herd = new Pane<PlannedStep>(async () => new (await import("./herd.js")).HerdView());
const move = new Pane<PlannedStep>(async () => {
  const { MoveView } = await import("./move.js");
  return new MoveView({
    text: () => source.text,
    write: writeWhole,
    step: chosenStep,
    copy: (text) => void copy(text),
  });
});
const problems = new ProblemList({
  go: (range) => source.select(range),
  mend: (fix) => keepingFocus(() => source.edit(fix.edits), fix.edits[0]?.range.start.offset),
});
const tabs = new Tabs([
  { name: "plan", title: PAGE.tabs.plan, panel: html("div", {}, plan.element), shown: showStep },
  { name: "form", title: PAGE.tabs.form, panel: form.panel, shown: showStep },
  { name: "rehearse", title: PAGE.tabs.rehearse, panel: rehearsal.panel, shown: showStep },
  { name: "herd", title: PAGE.tabs.herd, panel: herd.panel, shown: showStep },
  { name: "move", title: PAGE.tabs.move, panel: move.panel, shown: showStep },
]);

const events: SourceEvents = { onReport: take, onCursor: followCursor };

/** The steps that can be chosen: all that have a name. */
function chosenStep(): StepSummary | undefined {
  return report.steps[chosen];
}

function plannedStep(): PlannedStep | undefined {
  const step = chosenStep();
  return step !== undefined && isPlanned(step) ? step : undefined;
}

function take(next: Report): void {
  report = next;
  const text = source?.text;
  if (text !== undefined) shape = shapes.get(text) ?? shape;
  say(verdict, verdictOf(report));
  verdict.classList.toggle("valid", report.valid);
  problems.show(report.diagnostics);
  mendAll.disabled = !report.diagnostics.some(({ fixes, severity }) => fixes.length === 1 && severity !== "info");
  offerSteps();
  nameExample(text);
  if (source?.focused) followCursor(source.cursor);
  showStep();
  keepSoon();
}

/** Offers the steps by name, the chosen one staying chosen while it exists. */
function offerSteps(): void {
  const names = report.steps.map(({ name }) => name);
  if (names.length !== offered.length || names.some((name, index) => name !== offered[index])) {
    const last = offered[chosen];
    stepPicker.replaceChildren(...names.map((name) => html("option", { value: name }, name)));
    // A step that is being renamed keeps its place in the list.
    chosen =
      last !== undefined && names.includes(last)
        ? names.indexOf(last)
        : Math.min(chosen, Math.max(0, names.length - 1));
    offered = names;
  }
  byId("step-field", HTMLElement).hidden = names.length === 0;
  const index = Math.min(chosen, names.length - 1);
  if (stepPicker.selectedIndex !== index) stepPicker.selectedIndex = index;
}

function showStep(): void {
  if (report === undefined) return;
  say(sentence, sayPlan(report, chosenStep(), tabs.current === "plan" ? plan.jitter : "none"));
  sentence.classList.toggle("quiet", plannedStep() === undefined);
  if (tabs.current === "plan") plan.show(chosenStep());
  if (tabs.current === "form") void form.show(chosenStep);
  if (tabs.current === "rehearse") void rehearsal.show(plannedStep);
  if (tabs.current === "herd") void herd.show(plannedStep);
  if (tabs.current === "move") void move.show(plannedStep);
}

function choose(index: number): void {
  chosen = index;
  stepPicker.selectedIndex = index;
  showStep();
}

/** Makes a change; where that takes a button away which has the keyboard, the keyboard goes into the text. */
function keepingFocus(change: () => void, offset = source.cursor): void {
  const isHeld = document.querySelector("button:focus-visible") !== null;
  change();
  const { activeElement } = document;
  const isLost = activeElement === null || activeElement === document.body || activeElement.matches(":disabled");
  if (isHeld && isLost) source.select(caretAt(source.text, offset));
}

/** Shows the step that the cursor is in. */
function followCursor(offset: number): void {
  const index = report.steps.findIndex(({ range }) => range.start.offset <= offset && offset <= range.end.offset);
  if (index >= 0 && index !== chosen) choose(index);
}

/** Takes what differs over as one edit. */
function writeWhole(text: string): void {
  const now = source.text;
  let [start, end] = [0, 0];
  const shorter = Math.min(now.length, text.length);
  while (start < shorter && now[start] === text[start]) start++;
  while (end < shorter - start && now.at(-1 - end) === text.at(-1 - end)) end++;
  const at = (offset: number) => ({ line: 1, column: 1, offset });
  const range = { start: at(start), end: at(now.length - end) };
  source.edit([{ range, newText: text.slice(start, text.length - end) }]);
}

/** Puts `next` in the place of the source, text, cursor and keyboard as they were. */
function exchange(make: (text: string) => Source): void {
  const { text, cursor, focused } = source;
  const next = make(text);
  source.element.replaceWith(next.element);
  source.destroy();
  source = next;
  if (focused) source.select(caretAt(text, cursor));
}

const plainSource = (text: string) => new PlainSource(text, PAGE.file, events);

/** Shows the editor; undoing leads back to the text `before`, if that is another. */
async function showEditor(before?: string): Promise<void> {
  plainToggle.disabled = true;
  try {
    const { CodeSource } = await import("../../pkg/src/element/code-source.js");
    const step = chosen;
    exchange((text) => {
      const editor = new CodeSource({ text: before ?? text, label: PAGE.file }, events);
      if (before !== undefined) editor.replace(text);
      return editor;
    });
    choose(step);
  } catch {
    // The plain field is there already, and does all that is needed.
    plainToggle.checked = true;
    say(news, PAGE.noEditor);
  }
  plainToggle.disabled = false;
}

function togglePlain(): void {
  keepPlain(plainToggle.checked);
  if (plainToggle.checked) exchange(plainSource);
  else void showEditor();
}

/** Opens what a file holds. */
function openText(content: string): void {
  shapes.set(source.text, shape);
  const file = fromFile(content);
  shapes.set(file.text, file.shape);
  shape = file.shape;
  chosen = 0;
  // What a step of the same name did in another file is not its past.
  plan.show(undefined);
  // A text that is not typed into the plain field mixes with what can be undone there: it gets a field of its own.
  if (plainToggle.checked && file.text.length > LONG) exchange(() => plainSource(file.text));
  else source.replace(file.text);
  // There it has just been typed, with the cursor at its end.
  if (source instanceof PlainSource) choose(0);
}

/** Names the example that `text` is; another text is somebody's own. */
function nameExample(text: string | undefined): void {
  const name = [...EXAMPLES].find(([, example]) => example === text)?.[0] ?? "";
  if (examplePicker.value !== name) examplePicker.value = name;
}

function openExample(): void {
  const text = EXAMPLES.get(examplePicker.value);
  if (text === undefined) return;
  openText(text);
}

async function openFile(file: File | undefined): Promise<void> {
  if (file === undefined) return;
  const read = await readFile(file);
  if (!("text" in read)) return say(news, read.problem);
  openText(read.text);
  say(news, hasMixedEnds(read.text) ? PAGE.openedMixed(file.name) : PAGE.opened(file.name));
}

async function openLink(): Promise<boolean> {
  if (!isLink(location.hash)) return false;
  const shared = await unpack(location.hash);
  if (shared === undefined) {
    say(news, PAGE.badLink);
    return false;
  }
  openText(shared.text);
  // What others wrote does not take the place of what is kept until it is worked on.
  known = source.text;
  clearTimeout(keeping);
  const step = report.steps.findIndex(({ name }) => name === shared.step);
  if (step >= 0) choose(step);
  if (shared.tab !== undefined) tabs.openByName(shared.tab);
  return true;
}

async function link(): Promise<string | undefined> {
  const step = chosenStep()?.name;
  const fragment = await pack({ text: source.text, ...(step === undefined ? {} : { step }), tab: tabs.current });
  return fragment && `${location.href.split("#", 1)[0]}${fragment}`;
}

async function copy(text: string | undefined): Promise<void> {
  if (text === undefined) return say(news, PAGE.linkTooLong);
  try {
    await navigator.clipboard.writeText(text);
    say(news, "");
    say(news, PAGE.copied);
  } catch {
    say(news, PAGE.copyFailed);
  }
}

async function copyLink(): Promise<void> {
  keepNow();
  const made = await link();
  if (made !== undefined) history.replaceState(null, "", made);
  await copy(made);
}

async function copyMarkdown(): Promise<void> {
  const step = plannedStep();
  if (step === undefined) return say(news, sayPlan(report, chosenStep()));
  await copy(markdown(step, await link()));
}

let keeping: ReturnType<typeof setTimeout> | undefined;
/** What need not be kept: it is, or it is the example that a visit begins with. */
let known: string | undefined;

function keepSoon(): void {
  clearTimeout(keeping);
  keeping = setTimeout(keepNow, 400);
}

function keepNow(): void {
  clearTimeout(keeping);
  if (known === undefined || source.text === known) return;
  known = source.text;
  keepText(written(known, shape));
  // The link in the address is of what was there before: loading the page anew must bring what was worked on.
  if (isLink(location.hash)) dropLink();
}

function dropLink(): void {
  history.replaceState(null, "", location.href.split("#", 1)[0]);
}

function startOver(): void {
  dropLink();
  openText([...EXAMPLES.values()][0] ?? "");
  clearTimeout(keeping);
  known = source.text;
  keepText(null);
  say(news, PAGE.resetDone);
}

function nameOfFile(): string {
  const id = report.workflow?.id ?? "";
  return /^[\w.-]{1,80}$/.test(id) ? `${id}.yaml` : "workflow.yaml";
}

function wire(): void {
  examplePicker.append(...Array.from(EXAMPLES.keys(), (name) => html("option", { value: name }, name)));
  examplePicker.addEventListener("change", openExample);
  stepPicker.addEventListener("change", () => choose(stepPicker.selectedIndex));
  plainToggle.addEventListener("change", togglePlain);
  mendAll.addEventListener("click", () => keepingFocus(() => source.mendAll()));
  byId("open", HTMLButtonElement).addEventListener("click", () => filePicker.click());
  filePicker.addEventListener("change", () => {
    void openFile(filePicker.files?.[0]);
    filePicker.value = "";
  });
  onDrop(
    (file) => void openFile(file),
    (problem) => say(news, problem),
  );
  byId("download", HTMLButtonElement).addEventListener("click", () =>
    download(nameOfFile(), written(source.text, shape)),
  );
  byId("copy-link", HTMLButtonElement).addEventListener("click", () => void copyLink());
  byId("copy-markdown", HTMLButtonElement).addEventListener("click", () => void copyMarkdown());
  byId("reset", HTMLButtonElement).addEventListener("click", startOver);
  addEventListener("hashchange", () => void openLink());
  // What was told stands until something else is done.
  for (const done of ["pointerdown", "keydown"]) addEventListener(done, () => say(news, ""), { capture: true });
  // Who leaves right after the last keystroke finds it again.
  addEventListener("pagehide", keepNow);
  // An editor holds no more lines than are seen; paper shows them all.
  addEventListener("beforeprint", () => say(byId("printed", HTMLElement), source.text));
}

/** Calls what is about to be called, piece by piece: a browser compiles a function of the core when it is first called. */
async function warmUp(text: string): Promise<void> {
  const step = validate(text, { recover: true }).steps.find(isPlanned);
  await pause();
  if (step === undefined) return;
  explainLimits(step.limits);
  await pause();
}

async function start(): Promise<void> {
  await coreReady();
  wire();
  byId("tabs", HTMLElement).append(tabs.element);
  byId("problems", HTMLElement).append(problems.element);
  const kept = fromFile(keptText() ?? [...EXAMPLES.values()][0] ?? "");
  const { text } = kept;
  shape = kept.shape;
  source = plainSource("");
  await pause();
  await warmUp(text);
  source.replace(text);
  known = source.text;
  byId("source", HTMLElement).append(source.element);
  const isShared = await openLink();
  document.documentElement.classList.add("filled");
  await pause();
  plainToggle.checked = keptPlain();
  // What was here before a link was opened must not be lost by it.
  if (!plainToggle.checked) await showEditor(isShared ? text : undefined);
  document.documentElement.classList.add("ready");
  if ("serviceWorker" in navigator && import.meta.env.PROD) {
    navigator.serviceWorker.register("./sw.js").catch(() => {
      // Without it the page works all the same, though not without a network.
    });
  }
}

start().catch((cause: unknown) => {
  say(news, PAGE.broken(cause instanceof Error ? cause.message : `${cause}`));
  document.documentElement.classList.add("filled");
});
