/**
 * `--fix`: mending files in place, or showing what that would change.
 *
 * @module
 */

import { type Checked, type CheckedFile, checkText } from "./checked.js";
import { unifiedDiff } from "./diff.js";
import { Refusal } from "./exit.js";
import { replaceFile, STDIN, type WorkflowFile, workflowPath } from "./files.js";
import { type Mended, mend } from "./mend.js";
import type { Style, Terminal } from "./terminal.js";

/** How files are mended. */
export interface MendOptions {
  strict: boolean;
  /** Whether to show the change as a diff instead of making it. */
  dryRun: boolean;
}

/** Mends the file of `checked` and checks it again. One that cannot be written is handed back as unreadable. */
export async function mendFile(checked: Checked, options: MendOptions, terminal: Terminal): Promise<Checked> {
  if (!("report" in checked)) return checked;
  const { file } = checked;
  const mended = mend(file.text);
  const isStdin = file.path === workflowPath(STDIN);
  try {
    if (options.dryRun) printDiff(terminal, file, mended);
    else if (isStdin) terminal.pass("out", mended.text);
    else if (mended.done.length > 0) await replaceFile(file.path, mended.text);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { path: file.path, failure: error.message };
  }
  tell(terminal, checked, mended, options);
  return checkText({ path: file.path, text: mended.text }, options.strict);
}

function tell(terminal: Terminal, { file }: CheckedFile, { done }: Mended, { dryRun }: MendOptions): void {
  for (const { line, title } of done)
    terminal.err(`${dryRun ? "Would mend" : "Mended"} ${file.path}:${line}: ${title}`);
}

const DIFF_STYLES: Record<string, Style> = { "-": "red", "+": "green", "@": "blue" };

function printDiff(terminal: Terminal, { path, text }: WorkflowFile, mended: Mended): void {
  for (const line of unifiedDiff(path, text, mended.text)) {
    const style = DIFF_STYLES[line.charAt(0)];
    if (!terminal.interactive) terminal.pass("out", `${line}\n`);
    else terminal.out(style === undefined ? line : [{ text: line, style }]);
  }
}
