/**
 * A workflow file in a CodeMirror 6 editor: problems at their places with what mends them, what each key
 * means, what fits next, and above each retry block what it will do.
 *
 * @module
 */

import { autocompletion } from "@codemirror/autocomplete";
import {
  type Diagnostic as LintDiagnostic,
  linter,
  lintGutter,
  nextDiagnostic,
  previousDiagnostic,
} from "@codemirror/lint";
import { EditorState, type Extension, Prec } from "@codemirror/state";
import { type Command, type KeyBinding, keymap } from "@codemirror/view";
import { type CheckOptions, checking } from "./codemirror/check.js";
import { completeWorkflow } from "./codemirror/complete.js";
import { fixAll, quickFix } from "./codemirror/fixes.js";
import { keyHover, showKeyText } from "./codemirror/hover.js";
import { menu } from "./codemirror/menu.js";
import { openOutline } from "./codemirror/outline.js";
import { openProblems } from "./codemirror/problem-menu.js";
import { sentences } from "./codemirror/sentence.js";
import { theme } from "./codemirror/theme.js";

export { type CheckOptions, reportOf, stepAt } from "./codemirror/check.js";
export { completeWorkflow } from "./codemirror/complete.js";
export { fixAll, quickFix } from "./codemirror/fixes.js";
export { showKeyText } from "./codemirror/hover.js";
export { goToStep, openOutline } from "./codemirror/outline.js";
export { openProblems } from "./codemirror/problem-menu.js";

/** What {@link stepRetry} brings. */
export interface StepRetryOptions extends CheckOptions {
  /** Whether a line above each retry block says what it will do. Default `true`. */
  sentences?: boolean;
}

/**
 * The keys: F8 and Shift-F8 go through the problems, Ctrl-. (on a Mac Cmd-.) mends at the cursor,
 * Ctrl-Shift-. mends all that needs no choice, Ctrl-Shift-o lists the steps, Alt-F1 tells about the
 * key at the cursor, Ctrl-Shift-m lists the problems.
 */
export const stepRetryKeymap: readonly KeyBinding[] = [
  bind("F8", nextDiagnostic),
  bind("Shift-F8", previousDiagnostic),
  bind("Mod-.", quickFix),
  bind("Mod-Shift-.", fixAll),
  bind("Mod-Shift-o", openOutline),
  bind("Mod-Shift-m", openProblems),
  bind("Alt-F1", showKeyText),
];

function bind(key: string, run: Command): KeyBinding {
  return { key, run, preventDefault: true };
}

/**
 * Everything for a workflow file, for the `extensions` of an editor. It brings no colours for YAML:
 * `@codemirror/lang-yaml` has them.
 */
export function stepRetry(options: StepRetryOptions = {}): Extension {
  return [
    checking(options),
    linter(null, { tooltipFilter: withoutDoubles }),
    lintGutter(),
    keyHover,
    autocompletion({ icons: false }),
    EditorState.languageData.of(() => [{ autocomplete: completeWorkflow }]),
    menu,
    Prec.high(keymap.of([...stepRetryKeymap])),
    theme,
    options.sentences === false ? [] : sentences,
  ];
}

/** The same sentence about one place is shown once. */
function withoutDoubles(diagnostics: readonly LintDiagnostic[]): LintDiagnostic[] {
  return diagnostics.filter((one, at) => diagnostics.findIndex(({ message }) => message === one.message) === at);
}
