/**
 * The steps of the file, and going to one.
 *
 * @module
 */

import { EditorView } from "@codemirror/view";
import type { StepSummary } from "../types.js";
import { catchUp, reportOf } from "./check.js";
import { openMenu } from "./menu.js";
import { MENUS } from "./texts.js";

/** Puts the cursor on the name of `step`, near the top of what is seen. */
export function goToStep(view: EditorView, { range }: Pick<StepSummary, "range">): void {
  const anchor = Math.min(range.start.offset, view.state.doc.length);
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "start", yMargin: 40 }) });
  view.focus();
}

/** Opens a list of the steps to go to. */
export function openOutline(view: EditorView): boolean {
  catchUp(view);
  const { steps } = reportOf(view.state);
  if (steps.length === 0) return false;
  const choices = steps.map((step) => ({
    label: step.execution === null ? step.name : `${step.name} (${step.execution})`,
    run: (on: EditorView) => goToStep(on, step),
  }));
  openMenu(view, MENUS.steps, choices, view.state.selection.main.head);
  return true;
}
