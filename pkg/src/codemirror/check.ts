/**
 * The report on the text, always that of the text as it stands: a change and its squiggles are one
 * transaction, and so one frame.
 *
 * @module
 */

import { type Diagnostic as Mark, setDiagnosticsEffect } from "@codemirror/lint";
import {
  type ChangeSet,
  EditorState,
  type Extension,
  Facet,
  StateEffect,
  StateField,
  type Text,
} from "@codemirror/state";
import { type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { validate } from "../index.js";
import type { Diagnostic, Fix, Report, StepSummary } from "../types.js";
import { OneStep } from "./one-step.js";

/** How a file is checked and shown. */
export interface CheckOptions {
  /** Whether warnings make the file invalid too. Default `false`. */
  strict?: boolean;
  /** Called with each new report, after the editor shows it. */
  onReport?: (report: Report) => void;
}

/** A longer text whose check took longer than `SLOW_MS` holds up typing: the next one waits until typing pauses. */
const LONG = 60_000;
const SLOW_MS = 12;

/** How long a pause is. */
const PAUSE_MS = 180;

/** More marks than these help nobody, and a slow file gets slower with each. */
const MOST_MARKS = 500;

interface Checked {
  /** The text that was checked. */
  doc: Text;
  report: Report;
  /** How long the last check of the whole text took, in ms. */
  tookMs: number;
  /** The step that all changes since then were in, where it could be checked by itself. */
  step?: OneStep | undefined;
  /** Whether the whole text has been checked as it stands. */
  whole: boolean;
}

const checked = StateEffect.define<Checked>();

const options = Facet.define<CheckOptions, CheckOptions>({ combine: ([first = {}]) => first });

const field = StateField.define<Checked>({
  create: (state) => check(state.doc, state.facet(options)),
  update: (value, { effects, newDoc }) => {
    const set = effects.find((effect) => effect.is(checked));
    // An extended transaction makes its text anew: the same text, but another object.
    return set === undefined ? value : { ...set.value, doc: newDoc };
  },
});

/** The report of the last check; that of an empty text where the editor is without `stepRetry()`. */
export function reportOf(state: EditorState): Report {
  return state.field(field, false)?.report ?? validate("");
}

/** Whether the report is that of the text as it stands. While typing in a very long file it may be behind. */
function isCurrent(state: EditorState): boolean {
  return state.field(field, false)?.doc === state.doc;
}

/** The step that `pos` is in. */
export function stepAt(state: EditorState, pos: number): StepSummary | undefined {
  const within = ({ range }: StepSummary) => range.start.offset <= pos && pos <= range.end.offset;
  const { steps } = reportOf(state);
  return steps.find((step) => within(step) && pos < step.range.end.offset) ?? steps.find(within);
}

/** Checks the text now, should its report be behind. */
export function catchUp(view: EditorView): void {
  if (!isCurrent(view.state)) decide(view);
}

function check(doc: Text, { strict = false }: CheckOptions): Checked {
  const start = performance.now();
  const report = validate(doc.toString(), { recover: true, strict });
  return { doc, report, tookMs: performance.now() - start, whole: true };
}

/** The check of `doc` that came about by `changes`, where they are all in one step. */
function checkStep(last: Checked, changes: ChangeSet, doc: Text, { strict = false }: CheckOptions) {
  let [from, to] = [last.doc.length, 0];
  changes.iterChangedRanges((start, end) => {
    [from, to] = [Math.min(from, start), Math.max(to, end)];
  });
  const step = last.step?.holds(last.doc, from, to)
    ? last.step
    : OneStep.at(last.doc, last.report, from, to, last.step);
  const cut = step?.cut(doc);
  const report = cut && step?.widen(doc, validate(cut.text, { recover: true, strict }), cut.steps);
  return report && { doc, report, tookMs: last.tookMs, step, whole: false };
}

function effectsOf(next: Checked, last: Checked): StateEffect<unknown>[] {
  const isClean = last.report.diagnostics.length + next.report.diagnostics.length === 0;
  return [checked.of(next), ...(isClean ? [] : [setDiagnosticsEffect.of(marksOf(next.report))])];
}

function marksOf({ diagnostics }: Report): Mark[] {
  return diagnostics.slice(0, MOST_MARKS).map(mark);
}

function mark({ range, severity, message, fixes }: Diagnostic): Mark {
  const actions = fixes.map((fix) => ({ name: fix.title, apply: (view: EditorView) => applyFix(view, fix) }));
  return { from: range.start.offset, to: range.end.offset, severity, message, actions };
}

/** Makes the edits of `fix`, one of the last report's. Nothing but a new check where that is behind. */
export function applyFix(view: EditorView, fix: Fix): void {
  if (!isCurrent(view.state)) {
    catchUp(view);
    return;
  }
  view.dispatch({ changes: changesOf(fix), userEvent: "input.fix", scrollIntoView: true });
  view.focus();
}

/** The edits of `fix` as the editor has them. */
export function changesOf({ edits }: Fix): { from: number; to: number; insert: string }[] {
  return edits.map(({ range, newText }) => ({ from: range.start.offset, to: range.end.offset, insert: newText }));
}

/** Checks the whole text. What it finds counts; mostly that is what is shown already. */
function decide(view: EditorView): void {
  const { state } = view;
  const last = state.field(field);
  const next = check(state.doc, state.facet(options));
  const isSame = last.doc === state.doc && JSON.stringify(last.report) === JSON.stringify(next.report);
  view.dispatch({
    effects: isSame ? checked.of({ ...next, report: last.report, step: last.step }) : effectsOf(next, last),
  });
}

const checkWithTheChange = EditorState.transactionExtender.of(({ changes, docChanged, newDoc, startState }) => {
  const last = startState.field(field, false);
  if (!docChanged || last === undefined) return null;
  const given = startState.facet(options);
  const quick = last.doc === startState.doc ? checkStep(last, changes, newDoc, given) : undefined;
  if (quick !== undefined) return { effects: effectsOf(quick, last) };
  if (newDoc.length > LONG && (last.tookMs > SLOW_MS || last.doc.length < LONG)) return null;
  return { effects: effectsOf(check(newDoc, given), last) };
});

/** Shows the first report, tells of each, and checks the whole text when typing pauses. */
const follow = ViewPlugin.fromClass(
  class {
    readonly #view: EditorView;
    #timer: ReturnType<typeof setTimeout> | undefined;
    #told: Report | undefined;
    #gone = false;

    constructor(view: EditorView) {
      this.#view = view;
      this.#tellSoon();
    }

    update({ docChanged, state }: ViewUpdate): void {
      const { report, whole } = state.field(field);
      const isDecided = whole && isCurrent(state);
      if (docChanged || isDecided) clearTimeout(this.#timer);
      if (docChanged && !isDecided) this.#timer = setTimeout(() => decide(this.#view), PAUSE_MS);
      if (isCurrent(state) && this.#told !== report) this.#tellSoon();
    }

    destroy(): void {
      this.#gone = true;
      clearTimeout(this.#timer);
    }

    /** A view that is being updated takes no transaction, and its listeners may want to make one. */
    #tellSoon(): void {
      queueMicrotask(() => this.#tell());
    }

    #tell(): void {
      const { report } = this.#view.state.field(field);
      if (this.#gone || this.#told === report || !isCurrent(this.#view.state)) return;
      const first = this.#told === undefined;
      this.#told = report;
      if (first) this.#view.dispatch({ effects: setDiagnosticsEffect.of(marksOf(report)) });
      this.#view.state.facet(options).onReport?.(report);
    }
  },
);

/** Keeps the report. */
export function checking(given: CheckOptions): Extension {
  return [options.of(given), field, checkWithTheChange, follow];
}
