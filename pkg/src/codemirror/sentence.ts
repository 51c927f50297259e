/**
 * What a retry block will do, as a quiet line above it.
 *
 * @module
 */

import { type EditorState, type Range, StateField, type Text } from "@codemirror/state";
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
    dom.textContent = `${" ".repeat(this.#indent)}${this.#text}`;
    return dom;
  }

  override get estimatedHeight(): number {
    return 20;
  }
}

/** The sentences of all retry blocks that can be read. */
export const sentences = StateField.define<DecorationSet>({
  create: (state) => draw(state),
  update(value, transaction) {
    if (reportOf(transaction.startState) !== reportOf(transaction.state)) return draw(transaction.state);
    return transaction.docChanged ? value.map(transaction.changes) : value;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function draw(state: EditorState): DecorationSet {
  const lines: Range<Decoration>[] = [];
  for (const step of reportOf(state).steps) {
    if (step.limits?.retry === undefined || step.plan === undefined) continue;
    const at = retryLine(state.doc, step);
    if (at === undefined) continue;
    const widget = new Sentence(explainLimits(step.limits), at.indent);
    lines.push(Decoration.widget({ widget, block: true, side: -1 }).range(at.from));
  }
  return Decoration.set(lines, true);
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
