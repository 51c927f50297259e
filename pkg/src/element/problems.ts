/**
 * The list of problems: each a button that goes to its place, with what mends it.
 *
 * @module
 */

import type { Diagnostic, Fix, Range, Report, Severity } from "../types.js";
import { button, html } from "./dom.js";
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
  /** Makes the edits of a mending; absent where the text cannot be changed. */
  mend?: (fix: Fix) => void;
}

/** Keeps a list of problems, changed only where it is not what it was. */
export class ProblemList {
  /** What to put into the page. */
  readonly element = html("ul", { class: "problems" });
  readonly #actions: ProblemActions;
  #shown = "";

  constructor(actions: ProblemActions) {
    this.#actions = actions;
  }

  /** Shows `problems`. */
  show(problems: readonly Diagnostic[]): void {
    const shown = inOrder(problems).slice(0, MOST_SHOWN);
    const words = JSON.stringify([problems.length, shown.map(({ message, range, fixes }) => [message, range, fixes])]);
    // A rebuilt list would take the focus away from whoever is in it.
    if (words === this.#shown) return;
    this.#shown = words;
    const hidden = problems.length - shown.length;
    const items = shown.map((problem) => this.#item(problem));
    this.element.replaceChildren(...items, ...(hidden > 0 ? [html("li", { class: "quiet" }, unlisted(hidden))] : []));
  }

  #item(problem: Diagnostic): HTMLElement {
    const { severity, range, message, fixes } = problem;
    const goes = html(
      "button",
      { type: "button", class: `problem ${severity}` },
      html("span", { class: "severity" }, SEVERITIES[severity]),
      html("span", { class: "place" }, `${range.start.line}:${range.start.column}`),
      html("span", { class: "message" }, message),
    );
    goes.addEventListener("click", () => this.#actions.go(range));
    const { mend } = this.#actions;
    const mendings =
      mend === undefined ? [] : fixes.map((fix) => button(fix.title, () => mend(fix), { class: "mend" }));
    return html("li", {}, goes, ...(mendings.length > 0 ? [html("div", { class: "mendings" }, ...mendings)] : []));
  }
}
