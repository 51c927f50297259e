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
  /** The step it is about. */
  readonly step: string;
  readonly #text: string;
  readonly #indent: number;
  /** Whether it was so, and the block cannot be read any more. */
  readonly #isPast: boolean;

  constructor(step: string, text: string, indent: number, isPast = false) {
    super();
    this.step = step;
    [this.#text, this.#indent, this.#isPast] = [text, indent, isPast];
  }

  /** The same where it holds no more. */
  get past(): Sentence {
    return new Sentence(this.step, this.#text, this.#indent, true);
  }

  override eq(other: Sentence): boolean {
    return other.#text === this.#text && other.#indent === this.#indent && other.#isPast === this.#isPast;
  }

  override toDOM(): HTMLElement {
    const dom = document.createElement("div");
    this.updateDOM(dom);
    return dom;
  }

  override updateDOM(dom: HTMLElement): boolean {
    dom.className = "cm-step-retry-sentence";
    dom.classList.toggle("past", this.#isPast);
    dom.style.paddingLeft = `calc(6px + ${this.#indent}ch)`;
    if (dom.textContent !== this.#text) dom.textContent = this.#text;
    return true;
  }

  override get estimatedHeight(): number {
    return 20;
  }
}

/**
 * The sentences of all retry blocks that can be read. Where one cannot any more, its last sentence stays, marked as
 * past: somebody is typing, and the lines below would jump.
 */
export const sentences = StateField.define<DecorationSet>({
  create: (state) => Decoration.set(draw(state.doc, reportOf(state).steps, Decoration.none), true),
  update(value, { changes, startState, state }) {
    const [{ steps: last }, { steps }] = [reportOf(startState), reportOf(state)];
    if (last === steps) return value.map(changes);
    const changed = steps.filter((step, at) => !isSame(step, last[at]));
    const isAll = last.length !== steps.length || changed.length > FEW;
    const fresh = draw(state.doc, isAll ? steps : changed, value);
    if (isAll) return Decoration.set(fresh, true);
    const gone = new Set(last.filter((step, at) => !isSame(step, steps[at])).map(({ name }) => name));
    const filter = (_from: number, _to: number, decoration: Decoration) => !gone.has(widgetOf(decoration).step);
    return value.map(changes).update({ filter, add: fresh, sort: true });
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Where no more than so many steps have changed, the others are left alone. */
const FEW = 8;

/** Whether nothing that a sentence says has changed: a check of one step leaves the limits of others the very same. */
function isSame(one: StepSummary, other: StepSummary | undefined): boolean {
  return one.limits === other?.limits && one.name === other?.name;
}

function draw(doc: Text, steps: readonly StepSummary[], last: DecorationSet): Range<Decoration>[] {
  const lines: Range<Decoration>[] = [];
  for (const step of steps) {
    const at = retryLine(doc, step);
    const widget = at && (step.limits === undefined ? lastOf(step, last)?.past : sentenceOf(step, at.indent));
    if (at && widget) lines.push(Decoration.widget({ widget, block: true, side: -1 }).range(at.from));
  }
  return lines;
}

function sentenceOf({ name, limits, plan }: StepSummary, indent: number): Sentence | undefined {
  if (limits?.retry === undefined || plan === undefined) return undefined;
  return new Sentence(name, explainLimits(limits), indent);
}

function lastOf({ name }: StepSummary, last: DecorationSet): Sentence | undefined {
  for (const one = last.iter(); one.value !== null; one.next()) {
    const widget = widgetOf(one.value);
    if (widget.step === name) return widget;
  }
  return undefined;
}

function widgetOf({ spec }: Decoration): Sentence {
  return spec.widget;
}

/** The line with the step's own `retry`; the step's first where the whole step is written inside braces. */
function retryLine(doc: Text, { range, limits }: StepSummary): { from: number; indent: number } | undefined {
  if (range.end.offset > doc.length) return undefined;
  const first = doc.lineAt(range.start.offset);
  const last = doc.lineAt(range.end.offset).number;
  for (let number = first.number + 1; number <= last; number++) {
    const line = doc.line(number);
    const key = readKey(line.text);
    if (key?.name === "retry") return { from: line.from, indent: key.indent };
  }
  if (limits?.retry === undefined) return undefined;
  return { from: first.from, indent: readKey(first.text)?.indent ?? 0 };
}
