/**
 * The report on the text, always that of the text as it stands: a change and its squiggles are one
 * transaction, and so one frame.
 *
 * @module
 */

import { type Diagnostic as Mark, setDiagnosticsEffect } from "@codemirror/lint";
import { EditorState, type Extension, Facet, StateEffect, StateField, type Text } from "@codemirror/state";
import { type EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { validate } from "../index.js";
import type { Diagnostic, Fix, Report, StepSummary } from "../types.js";

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
  /** How long that took, in ms. */
  tookMs: number;
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
  if (isCurrent(view.state)) return;
  view.dispatch({ effects: effectsOf(check(view.state.doc, view.state.facet(options))) });
}

function check(doc: Text, { strict = false }: CheckOptions): Checked {
  const start = performance.now();
  const report = validate(doc.toString(), { recover: true, strict });
  return { doc, report, tookMs: performance.now() - start };
}

function effectsOf(result: Checked): StateEffect<unknown>[] {
  return [checked.of(result), setDiagnosticsEffect.of(marksOf(result.report))];
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

const checkWithTheChange = EditorState.transactionExtender.of(({ docChanged, newDoc, startState }) => {
  const last = startState.field(field, false);
  if (!docChanged || last === undefined) return null;
  if (newDoc.length > LONG && (last.tookMs > SLOW_MS || last.doc.length < LONG)) return null;
  return { effects: effectsOf(check(newDoc, startState.facet(options))) };
});

/** Shows the first report, tells of each, and checks a long text when typing pauses. */
const follow = ViewPlugin.fromClass(
  class {
    readonly #view: EditorView;
    #timer: ReturnType<typeof setTimeout> | undefined;
    #told: Report | undefined;
    #gone = false;

    constructor(view: EditorView) {
      this.#view = view;
      this.#later(0);
    }

    update({ state }: ViewUpdate): void {
      if (!isCurrent(state)) this.#later(PAUSE_MS);
      else if (this.#told !== reportOf(state)) this.#later(0);
    }

    destroy(): void {
      this.#gone = true;
      clearTimeout(this.#timer);
    }

    #later(ms: number): void {
      clearTimeout(this.#timer);
      // A view that is being updated takes no transaction, and its listeners may want to make one.
      if (ms === 0) queueMicrotask(() => this.#tell());
      else this.#timer = setTimeout(() => this.#tell(), ms);
    }

    #tell(): void {
      if (this.#gone) return;
      const first = this.#told === undefined;
      const result = this.#view.state.field(field);
      if (!isCurrent(this.#view.state)) {
        catchUp(this.#view);
        return;
      }
      if (this.#told === result.report) return;
      this.#told = result.report;
      if (first) this.#view.dispatch({ effects: setDiagnosticsEffect.of(marksOf(result.report)) });
      this.#view.state.facet(options).onReport?.(result.report);
    }
  },
);

/** Keeps the report. */
export function checking(given: CheckOptions): Extension {
  return [options.of(given), field, checkWithTheChange, follow];
}
