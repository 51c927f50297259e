/**
 * The text field with line numbers beside it.
 *
 * @module
 */

import type { Diagnostic, Range, Severity } from "step-retry";
import { html } from "./dom.js";

/** Lines that stay visible above a place that was jumped to. */
const LINES_ABOVE = 4;

/** A text field that numbers its lines and marks those with problems. */
export class Editor {
  readonly #field: HTMLTextAreaElement;
  readonly #numbers: HTMLElement;

  constructor(field: HTMLTextAreaElement, numbers: HTMLElement) {
    this.#field = field;
    this.#numbers = numbers;
    field.addEventListener("scroll", () => this.#follow());
  }

  /** The text. */
  get text(): string {
    return this.#field.value;
  }

  set text(text: string) {
    this.#field.value = text;
    this.#field.setSelectionRange(0, 0);
    this.#field.scrollTop = 0;
  }

  /** Where the cursor is, as an index into the text. */
  get cursor(): number {
    return this.#field.selectionStart;
  }

  /** Selects `range` and brings it into view. */
  jumpTo(range: Range): void {
    this.#field.focus();
    this.#field.setSelectionRange(range.start.offset, range.end.offset);
    this.#field.scrollTop = (range.start.line - 1 - LINES_ABOVE) * this.#lineHeight();
    this.#field.scrollLeft = 0;
  }

  /** Numbers the lines anew, those with `problems` in the colour of the gravest. */
  mark(problems: readonly Diagnostic[]): void {
    const gravest = gravestByLine(problems);
    const count = this.text.split("\n").length;
    this.#numbers.replaceChildren(
      ...Array.from({ length: count }, (_, index) => {
        const severity = gravest.get(index + 1);
        return html("span", severity === undefined ? {} : { class: severity }, `${index + 1}\n`);
      }),
    );
    this.#follow();
  }

  #follow(): void {
    this.#numbers.scrollTop = this.#field.scrollTop;
  }

  #lineHeight(): number {
    return Number.parseFloat(getComputedStyle(this.#field).lineHeight);
  }
}

const GRAVITY: Record<Severity, number> = { info: 0, warning: 1, error: 2 };

function gravestByLine(problems: readonly Diagnostic[]): Map<number, Severity> {
  const gravest = new Map<number, Severity>();
  for (const { range, severity } of problems) {
    const known = gravest.get(range.start.line);
    if (known === undefined || GRAVITY[severity] > GRAVITY[known]) gravest.set(range.start.line, severity);
  }
  return gravest;
}
