/**
 * The list of problems: each a button that goes to its place.
 *
 * @module
 */

import type { Diagnostic, Range, Severity } from "step-retry";
import { html } from "./dom.js";

/** More than these help nobody and would slow the page down. */
const MOST_SHOWN = 100;

const NAMES: Record<Severity, string> = { error: "Error", warning: "Warning", info: "Advice" };

/** Shows `problems` in `list`; a click on one calls `go` with its place. */
export function showProblems(list: HTMLElement, problems: readonly Diagnostic[], go: (range: Range) => void): void {
  const items = problems.slice(0, MOST_SHOWN).map((problem) => html("li", {}, problemButton(problem, go)));
  const hidden = problems.length - items.length;
  list.replaceChildren(...items, ...(hidden > 0 ? [html("li", { class: "more" }, `and ${hidden} more`)] : []));
}

function problemButton({ severity, range, message }: Diagnostic, go: (range: Range) => void): HTMLButtonElement {
  const button = html(
    "button",
    { type: "button", class: severity },
    html("span", { class: "severity" }, NAMES[severity]),
    html("span", { class: "place" }, `${range.start.line}:${range.start.column}`),
    html("span", { class: "message" }, message),
  );
  button.addEventListener("click", () => go(range));
  return button;
}
