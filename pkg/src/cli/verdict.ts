/**
 * How a report reads to the reference's own command: its two channels, and its closing lines.
 *
 * @module
 */

import type { Diagnostic, Report } from "../types.js";

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

/** Whether the loader accepts the file, warnings or not. */
export function isAccepted(report: Report): boolean {
  return report.summary.startsWith("Valid:");
}

/** The closing lines: those of the report, and below them what a file that is accepted says of itself. */
export function closingLines(report: Report): string[] {
  if (report.diagnostics.some(({ code }) => code === "YAML_PARSE_ERROR")) return [`Invalid: ${report.summary}`];
  const lines = report.summary.split("\n");
  const description = report.workflow?.description;
  return isAccepted(report) && report.valid && description != null ? [...lines, `  ${description.trimEnd()}`] : lines;
}
