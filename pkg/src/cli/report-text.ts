/**
 * What was found in a file, as text: the lines of the reference's own command, and for a person at
 * a terminal the place in the source under each problem.
 *
 * @module
 */

import type { Diagnostic, Report, Severity } from "../types.js";
import { excerpt } from "./excerpt.js";
import type { WorkflowFile } from "./files.js";
import type { Style, Styled, Terminal } from "./terminal.js";
import { closingLines, isAccepted, isLoaderError, isLoaderWarning } from "./verdict.js";

const WARNING_MARK: Styled = { text: "⚠", style: "yellow" };
const INFO_MARK: Styled = { text: "ℹ", style: "blue" };

/** The sign in front of advice. */
export function mark(severity: Severity): Styled {
  return severity === "info" ? INFO_MARK : WARNING_MARK;
}

/** Prints `report`. With several files in one run each line begins with the file's `path`. */
export function printReport(terminal: Terminal, file: WorkflowFile, report: Report, several: boolean): void {
  const prefix = several ? `${file.path}: ` : "";
  for (const diagnostic of report.diagnostics.filter(isLoaderWarning)) {
    terminal.err([prefix, WARNING_MARK, ` ${diagnostic.message}`]);
    printPlace(terminal, file, diagnostic, "yellow");
  }
  for (const diagnostic of report.diagnostics.filter(({ severity }) => severity === "info")) {
    terminal.err([prefix, INFO_MARK, ` ${diagnostic.message}`]);
    printPlace(terminal, file, diagnostic, "blue");
  }
  printClosing(terminal, file, report, prefix);
}

/** Prints the closing lines, which repeat the errors: an accepted file's to stdout, any other's to stderr. */
function printClosing(terminal: Terminal, file: WorkflowFile, report: Report, prefix: string): void {
  const accepted = isAccepted(report);
  const print = accepted ? terminal.out : terminal.err;
  const errors = report.diagnostics.filter(isLoaderError);
  for (const [index, line] of closingLines(report).entries()) {
    print([index === 0 ? prefix : "", index === 0 && !accepted ? { text: line, style: "bold" } : line]);
    if (errors[0] !== undefined && line.endsWith(errors[0].message)) {
      printPlace(terminal, file, errors[0], "red");
      errors.shift();
    }
  }
}

function printPlace(terminal: Terminal, file: WorkflowFile, diagnostic: Diagnostic, style: Style): void {
  if (!terminal.interactive) return;
  for (const line of excerpt(file, diagnostic.range, style, terminal.columns)) terminal.err(line);
  for (const { title } of diagnostic.fixes) terminal.err([{ text: "      = ", style: "dim" }, `fix: ${title}`]);
}
