/**
 * What was found in a file, as text: the lines of the reference's own command, and for a person at
 * a terminal the place in the source under each problem.
 *
 * @module
 */

import type { Diagnostic, Report } from "../types.js";
import { excerpt } from "./excerpt.js";
import type { WorkflowFile } from "./files.js";
import type { Style, Terminal } from "./terminal.js";

/** Warnings of the loader that refuse a file all the same; the summary names them once more. */
const REFUSING_WARNINGS: ReadonlySet<string> = new Set(["UNKNOWN_WORKFLOW_KEY", "UNKNOWN_STEP_KEY"]);

/** Whether `diagnostic` is one of the loader's warnings, as opposed to one of the errors it collects. */
export function isLoaderWarning({ code, severity }: Diagnostic): boolean {
  return severity === "warning" || (severity === "error" && REFUSING_WARNINGS.has(code));
}

/** Whether `diagnostic` is one of the errors that the loader collects. */
export function isLoaderError(diagnostic: Diagnostic): boolean {
  return diagnostic.severity === "error" && !isLoaderWarning(diagnostic);
}

/** Prints `report`. With several files in one run each line begins with the file's `path`. */
export function printReport(terminal: Terminal, file: WorkflowFile, report: Report, several: boolean): void {
  const prefix = several ? `${file.path}: ` : "";
  for (const diagnostic of report.diagnostics.filter(isLoaderWarning)) {
    terminal.err([prefix, { text: "⚠", style: "yellow" }, ` ${diagnostic.message}`]);
    printPlace(terminal, file, diagnostic, "yellow");
  }
  printSummary(terminal, file, report, prefix);
  for (const diagnostic of report.diagnostics.filter(({ severity }) => severity === "info")) {
    terminal.err([prefix, { text: "ℹ", style: "blue" }, ` ${diagnostic.message}`]);
    printPlace(terminal, file, diagnostic, "blue");
  }
}

/** Prints the closing lines, which repeat the errors: a valid file's to stdout, any other's to stderr. */
function printSummary(terminal: Terminal, file: WorkflowFile, report: Report, prefix: string): void {
  const accepted = report.summary.startsWith("Valid:");
  const print = accepted ? terminal.out : terminal.err;
  const errors = report.diagnostics.filter(isLoaderError);
  for (const [index, line] of report.summary.split("\n").entries()) {
    print([index === 0 ? prefix : "", index === 0 && !accepted ? { text: line, style: "bold" } : line]);
    if (errors[0] !== undefined && line.endsWith(firstLine(errors[0].message))) {
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

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
