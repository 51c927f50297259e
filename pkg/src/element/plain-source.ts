/**
 * The file in a plain text field with line numbers beside it.
 *
 * @module
 */

import { mend } from "../cli/mend.js";
import { validate } from "../index.js";
import type { Diagnostic, Range, Severity, TextEdit } from "../types.js";
import { html } from "./dom.js";
import { applyEdits, type Source, type SourceEvents } from "./source.js";

/** A browser takes minutes to type a longer text into a field. */
export const LONG = 20_000;

/** Lines that stay visible above a place that was jumped to. */
const LINES_ABOVE = 4;

/** A text field that numbers its lines and marks those with problems. */
export class PlainSource implements Source {
  readonly element: HTMLElement;
  readonly #field = html("textarea", {
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
    wrap: "off",
  });
  readonly #numbers = html("pre", { "aria-hidden": "true" });
  readonly #events: SourceEvents;
  readonly #followCursor = () => {
    if (this.focused) this.#events.onCursor(this.cursor);
  };

  constructor(text: string, label: string, events: SourceEvents) {
    this.#events = events;
    this.#field.setAttribute("aria-label", label);
    this.#field.addEventListener("scroll", () => this.#follow());
    this.#field.addEventListener("input", () => this.#check());
    document.addEventListener("selectionchange", this.#followCursor);
    this.element = html("div", { class: "plain" }, this.#numbers, this.#field);
    this.#field.value = text;
    this.#field.setSelectionRange(0, 0);
    this.#check();
  }

  get text(): string {
    return this.#field.value;
  }

  get cursor(): number {
    return this.#field.selectionStart;
  }

  get focused(): boolean {
    return this.#field.matches(":focus");
  }

  replace(text: string): void {
    if (text.length > LONG) {
      this.#field.value = text;
      this.#check();
    } else this.#write(text);
    this.#field.setSelectionRange(0, 0);
    this.#field.scrollTop = 0;
  }

  edit(edits: readonly TextEdit[]): void {
    if (edits.length > 0) this.#write(applyEdits(this.text, edits));
  }

  select(range: Range): void {
    this.#field.focus();
    this.#field.setSelectionRange(range.start.offset, range.end.offset);
    this.#field.scrollTop = (range.start.line - 1 - LINES_ABOVE) * this.#lineHeight();
    this.#field.scrollLeft = 0;
  }

  mendAll(): void {
    this.#write(mend(this.text).text);
  }

  destroy(): void {
    document.removeEventListener("selectionchange", this.#followCursor);
    this.element.remove();
  }

  /** Writes what differs as if it were typed: a field that is set forgets how to undo. */
  #write(next: string): void {
    const now = this.text;
    if (next === now) return;
    let [start, end] = [0, 0];
    const shorter = Math.min(now.length, next.length);
    while (start < shorter && now[start] === next[start]) start++;
    while (end < shorter - start && now.at(-1 - end) === next.at(-1 - end)) end++;
    const focus = document.activeElement;
    this.#field.focus({ preventScroll: true });
    this.#field.setSelectionRange(start, now.length - end);
    const inserted = next.slice(start, next.length - end);
    if (!document.execCommand(inserted === "" ? "delete" : "insertText", false, inserted)) {
      this.#field.setRangeText(inserted);
      this.#check();
    }
    if (focus !== this.#field) this.#field.blur();
    if (focus instanceof HTMLElement) focus.focus({ preventScroll: true });
  }

  #check(): void {
    const report = validate(this.text, { recover: true });
    this.#mark(report.diagnostics);
    this.#events.onReport(report);
  }

  /** Numbers the lines anew, those with `problems` in the colour of the gravest. */
  #mark(problems: readonly Diagnostic[]): void {
    const gravest = gravestByLine(problems);
    const count = this.text.split("\n", MOST_NUMBERED).length;
    const numbers = Array.from({ length: count }, (_, index) => `${index + 1}\n`);
    const marked = [...gravest].filter(([line]) => line <= count).sort(([a], [b]) => a - b);
    let next = 0;
    const nodes: (Node | string)[] = [];
    for (const [line, severity] of marked) {
      nodes.push(numbers.slice(next, line - 1).join(""), html("span", { class: severity }, `${line}\n`));
      next = line;
    }
    this.#numbers.replaceChildren(...nodes, numbers.slice(next).join(""));
    this.#follow();
  }

  #follow(): void {
    this.#numbers.scrollTop = this.#field.scrollTop;
  }

  #lineHeight(): number {
    return Number.parseFloat(getComputedStyle(this.#field).lineHeight);
  }
}

/** Lines beyond this have no number. */
const MOST_NUMBERED = 20_000;

const GRAVITY: Record<Severity, number> = { info: 0, warning: 1, error: 2 };

function gravestByLine(problems: readonly Diagnostic[]): Map<number, Severity> {
  const gravest = new Map<number, Severity>();
  for (const { range, severity } of problems) {
    const known = gravest.get(range.start.line);
    if (known === undefined || GRAVITY[severity] > GRAVITY[known]) gravest.set(range.start.line, severity);
  }
  return gravest;
}
