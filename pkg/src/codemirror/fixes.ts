/**
 * Mending from the keyboard: what is wrong on this line, and all that can be mended without a choice.
 *
 * @module
 */

import { ChangeSet } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { clearFixes } from "../cli/mend.js";
import { validate } from "../index.js";
import type { Diagnostic } from "../types.js";
import { applyFix, catchUp, changesOf, reportOf } from "./check.js";
import { openMenu } from "./menu.js";
import { MENUS } from "./texts.js";

/** More rounds than any file needs: only mendings that undo each other would get here. */
const MOST_ROUNDS = 100;

/** Mends what is wrong where the cursor is: at once where there is one way, else through a menu. */
export function quickFix(view: EditorView): boolean {
  catchUp(view);
  const choices = problemsHere(view).flatMap(({ fixes }) =>
    fixes.map((fix) => ({ label: fix.title, run: (on: EditorView) => applyFix(on, fix) })),
  );
  const [only, ...others] = choices;
  if (only === undefined) return false;
  if (others.length === 0) only.run(view);
  else openMenu(view, MENUS.fixes, choices, view.state.selection.main.head);
  return true;
}

/** The problems under the cursor; where there is none, those of its line. */
function problemsHere({ state }: EditorView): Diagnostic[] {
  const { from, to, head } = state.selection.main;
  const line = state.doc.lineAt(head);
  const meets = (start: number, end: number) => (diagnostic: Diagnostic) =>
    diagnostic.fixes.length > 0 && diagnostic.range.start.offset <= end && start <= diagnostic.range.end.offset;
  const { diagnostics } = reportOf(state);
  const under = diagnostics.filter(meets(from, to));
  return under.length > 0 ? under : diagnostics.filter(meets(line.from, line.to));
}

/** Mends every problem that has exactly one mending, as one change that can be undone as one. */
export function fixAll(view: EditorView): boolean {
  catchUp(view);
  const { doc, lineBreak } = view.state;
  let all = ChangeSet.empty(doc.length);
  let { diagnostics } = reportOf(view.state);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const edits = clearFixes(diagnostics).flatMap(changesOf);
    if (edits.length === 0) break;
    all = all.compose(ChangeSet.of(edits, all.newLength, lineBreak));
    diagnostics = validate(all.apply(doc).toString(), { recover: true }).diagnostics;
  }
  if (all.empty) return false;
  view.dispatch({ changes: all, userEvent: "input.fix" });
  return true;
}
