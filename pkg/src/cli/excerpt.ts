/**
 * A place in a source text, shown with a line of it and a mark below.
 *
 * @module
 */

import type { Range } from "../types.js";
import type { WorkflowFile } from "./files.js";
import type { Line, Style } from "./terminal.js";

/** Columns kept free for the line number and the bar. */
const GUTTER = 8;
/** How much of a long line is shown before the place itself. */
const LEAD = 20;

/** `path:line:column`, the source line and a mark under `range`, cut to `columns`. */
export function excerpt(file: WorkflowFile, range: Range, style: Style, columns: number): Line[] {
  const { line, column } = range.start;
  const source = sourceLine(file.text, range.start.offset);
  const from = column - 1 + LEAD > columns - GUTTER ? Math.max(0, column - 1 - LEAD) : 0;
  const shown = source.slice(from, from + columns - GUTTER);
  const start = column - 1 - from;
  const end = range.end.line === line ? range.end.column - 1 - from : shown.length;
  const marks = Math.max(1, characters(shown.slice(start, end)));
  return [
    [{ text: "  --> ", style: "dim" }, `${file.path}:${line}:${column}`],
    [{ text: `${line}`.padStart(GUTTER - 3), style: "dim" }, { text: " | ", style: "dim" }, oneColumnTabs(shown)],
    [
      { text: `${" ".repeat(GUTTER - 3)} | `, style: "dim" },
      " ".repeat(characters(shown.slice(0, start))),
      { text: "^".repeat(marks), style },
    ],
  ];
}

function sourceLine(text: string, offset: number): string {
  const before = text.slice(0, offset);
  const start = Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\r")) + 1;
  const length = text.slice(start).search(/[\r\n]/);
  return length < 0 ? text.slice(start) : text.slice(start, start + length);
}

function oneColumnTabs(text: string): string {
  return text.replaceAll("\t", " ");
}

function characters(text: string): number {
  return [...text].length;
}
