/**
 * What a retry block will do, as a quiet line above it.
 *
 * @module
 */

import { type Range, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import type { StepSummary } from "../types.js";
import { reportOf } from "./check.js";
import { explainLimits } from "./explain.js";
import { readKey } from "./read-key.js";

class Sentence extends WidgetType {
  readonly #text: string;
  readonly #indent: number;

  constructor(text: string, indent: number) {
    super();
    this.#text = text;
    this.#indent = indent;
  }

  override eq(other: Sentence): boolean {
    return other.#text === this.#text && other.#indent === this.#indent;
  }

  override toDOM(): HTMLElement {
    const dom = document.createElement("div");
    dom.className = "cm-step-retry-sentence";
    dom.style.paddingLeft = `calc(6px + ${this.#indent}ch)`;
    dom.textContent = this.#text;
    return dom;
  }

  override get estimatedHeight(): number {
    return 20;
  }
}

/** The sentences of all retry blocks that can be read. */
export const sentences = StateField.define<DecorationSet>({
  create: (state) => Decoration.set(draw(state.doc, reportOf(state).steps), true),
  update(value, { changes, startState, state }) {
    const [{ steps: last }, { steps }] = [reportOf(startState), reportOf(state)];
    if (last === steps) return value.map(changes);
    // A check of one step leaves the others as they were: their lines only move.
    const isOld = ({ limits, name }: StepSummary, at: number) => limits === last[at]?.limits && name === last[at]?.name;
    const changed = steps.filter((step, at) => !isOld(step, at));
    if (last.length !== steps.length || changed.length > FEW) return Decoration.set(draw(state.doc, steps), true);
    const names = new Set(changed.map(({ name }) => name));
    const filter = (_from: number, _to: number, { spec }: Decoration) => !names.has(spec.step);
    return value.map(changes).update({ filter, add: draw(state.doc, changed), sort: true });
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Where no more than so many steps have changed, the others are left alone. */
const FEW = 8;

function draw(doc: Text, steps: readonly StepSummary[]): Range<Decoration>[] {
  const lines: Range<Decoration>[] = [];
  for (const step of steps) {
    if (step.limits?.retry === undefined || step.plan === undefined) continue;
    const at = retryLine(doc, step);
    if (at === undefined) continue;
    const widget = new Sentence(explainLimits(step.limits), at.indent);
    lines.push(Decoration.widget({ widget, block: true, side: -1, step: step.name }).range(at.from));
  }
  return lines;
}

/** The line with the step's own `retry`; the step's first where the whole step is written inside braces. */
function retryLine(doc: Text, { range }: StepSummary): { from: number; indent: number } | undefined {
  if (range.end.offset > doc.length) return undefined;
  const first = doc.lineAt(range.start.offset);
  const last = doc.lineAt(range.end.offset).number;
  for (let number = first.number + 1; number <= last; number++) {
    const line = doc.line(number);
    const key = readKey(line.text);
    if (key?.name === "retry") return { from: line.from, indent: key.indent };
  }
  return { from: first.from, indent: readKey(first.text)?.indent ?? 0 };
}
