/**
 * The list of problems: each a button that goes to its place, with what mends it.
 *
 * @module
 */

import type { Diagnostic, Fix, Range, Report, Severity } from "../types.js";
import { button, html, say } from "./dom.js";
import { invalid, SEVERITIES, unlisted } from "./texts.js";

/** More than these help nobody and would slow the page down. */
const MOST_SHOWN = 100;

/** What is said of a file in a line; the list of problems follows it, and has the words of each. */
export function verdictOf({ diagnostics, summary }: Report): string {
  const [first] = inOrder(diagnostics);
  if (first?.severity !== "error") return summary.split("\n", 1)[0] ?? "";
  const many = (of: Severity) => diagnostics.filter(({ severity }) => severity === of).length;
  return invalid(many("error"), many("warning"), first.range.start.line);
}

/** The gravest first, and of those the upper. */
function inOrder(problems: readonly Diagnostic[]): Diagnostic[] {
  const rank = Object.keys(SEVERITIES);
  return [...problems].sort(
    (a, b) => rank.indexOf(a.severity) - rank.indexOf(b.severity) || a.range.start.offset - b.range.start.offset,
  );
}

/** What can be done from the list. */
export interface ProblemActions {
  /** Goes to a place. */
  go: (range: Range) => void;
  /** Makes the edits of a mending; absent while the text cannot be changed. */
  readonly mend?: ((fix: Fix) => void) | undefined;
}

/** A problem in the list, and what of it is seen. */
interface Item {
  element: HTMLElement;
  words: string;
  /** The problem as it is now: its place may have moved. */
  problem: Diagnostic;
}

/** Keeps a list of problems, changed only where it is not what it was: whoever is in it stays there. */
export class ProblemList {
  /** What to put into the page. */
  readonly element = html("ul", { class: "problems" });
  readonly #actions: ProblemActions;
  readonly #more = html("li", { class: "quiet" });
  #items: readonly Item[] = [];

  constructor(actions: ProblemActions) {
    this.#actions = actions;
  }

  /** Shows `problems`. */
  show(problems: readonly Diagnostic[]): void {
    const shown = inOrder(problems).slice(0, MOST_SHOWN);
    const last = this.#items;
    const kept = new Map(last.map((item) => [item.words, item]));
    this.#items = shown.map((problem) => {
      const words = this.#wordsOf(problem);
      const item = kept.get(words) ?? this.#item(problem, words);
      kept.delete(words);
      return Object.assign(item, { problem });
    });
    this.#more.remove();
    for (const item of last) if (!this.#items.includes(item)) item.element.remove();
    let place = this.element.firstElementChild;
    for (const { element } of this.#items) {
      if (element === place) place = place.nextElementSibling;
      else this.element.insertBefore(element, place);
    }
    const hidden = problems.length - shown.length;
    if (hidden === 0) return;
    say(this.#more, unlisted(hidden));
    this.element.append(this.#more);
  }

  #wordsOf({ severity, range, message, fixes }: Diagnostic): string {
    const { line, column } = range.start;
    return JSON.stringify([severity, line, column, message, this.#actions.mend && fixes.map(({ title }) => title)]);
  }

  #item(problem: Diagnostic, words: string): Item {
    const { severity, range, message, fixes } = problem;
    const goes = html(
      "button",
      { type: "button", class: `problem ${severity}` },
      html("span", { class: "severity" }, SEVERITIES[severity]),
      html("span", { class: "place" }, `${range.start.line}:${range.start.column}`),
      html("span", { class: "message" }, message),
    );
    const item: Item = { element: html("li", {}, goes), words, problem };
    goes.addEventListener("click", () => this.#actions.go(item.problem.range));
    const { mend } = this.#actions;
    const makes = (nth: number) => {
      const fix = item.problem.fixes[nth];
      if (fix !== undefined) mend?.(fix);
    };
    const mendings = fixes.map(({ title }, nth) => button(title, () => makes(nth), { class: "mend" }));
    if (mend !== undefined && fixes.length > 0) item.element.append(html("div", { class: "mendings" }, ...mendings));
    return item;
  }
}
