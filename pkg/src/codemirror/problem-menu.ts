/**
 * The problems of the file, and going to one.
 *
 * @module
 */

import { EditorView } from "@codemirror/view";
import { catchUp, reportOf } from "./check.js";
import { openMenu } from "./menu.js";
import { MENUS } from "./texts.js";

/** A longer list is one that nobody reads; the next ones come when these are mended. */
const MOST = 100;

/** Opens a list of the problems to go to. */
export function openProblems(view: EditorView): boolean {
  catchUp(view);
  const { diagnostics } = reportOf(view.state);
  if (diagnostics.length === 0) return false;
  const inOrder = [...diagnostics].sort((a, b) => a.range.start.offset - b.range.start.offset);
  const choices = inOrder.slice(0, MOST).map(({ message, range }) => ({
    label: `${range.start.line}: ${message}`,
    run: (on: EditorView) => {
      const { length } = on.state.doc;
      const [anchor, head] = [Math.min(range.start.offset, length), Math.min(range.end.offset, length)];
      on.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
      on.focus();
    },
  }));
  openMenu(view, MENUS.problems, choices, view.state.selection.main.head);
  return true;
}
