/**
 * What was found in files, as annotations of a GitHub Actions run.
 *
 * @module
 */

import type { Diagnostic, Severity } from "../types.js";
import type { Checked } from "./checked.js";

const LEVELS: Record<Severity, string> = { error: "error", warning: "warning", info: "notice" };

/** One workflow command for each finding; nothing for a file without any. */
export function githubLines(checked: Checked): string[] {
  if ("failure" in checked) return [command("error", { file: checked.path }, checked.failure)];
  return checked.report.diagnostics.map((diagnostic) => annotation(checked.file.path, diagnostic));
}

function annotation(file: string, { severity, code, message, range: { start, end } }: Diagnostic): string {
  // Columns are only understood within one line.
  const columns = start.line === end.line ? { col: start.column, endColumn: end.column } : {};
  return command(LEVELS[severity], { file, line: start.line, endLine: end.line, ...columns, title: code }, message);
}

function command(name: string, properties: Record<string, string | number>, message: string): string {
  const list = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(`${value}`)}`);
  return `::${name} ${list.join(",")}::${escapeData(message)}`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
