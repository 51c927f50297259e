/**
 * A place where the file is shown and changed, whatever it is made of.
 *
 * @module
 */

import type { Range, Report, TextEdit } from "../types.js";

/** What a source tells. */
export interface SourceEvents {
  /** The text was changed and checked. */
  onReport: (report: Report) => void;
  /** The cursor is at another place: an index into the text. */
  onCursor: (offset: number) => void;
}

/** The file, as text that can be changed. */
export interface Source {
  /** What to put into the page. */
  readonly element: HTMLElement;
  /** The text, with `\n` at the end of each line. */
  readonly text: string;
  /** Whether the keyboard is with it. */
  readonly focused: boolean;
  /** Where the cursor is, as an index into the text. */
  readonly cursor: number;
  /** Puts another file in its place. */
  replace(text: string): void;
  /** Makes `edits`, which do not overlap, as one step to undo. */
  edit(edits: readonly TextEdit[]): void;
  /** Selects `range`, brings it into view and takes the keyboard there. */
  select(range: Range): void;
  /** Mends all that needs no choice. */
  mendAll(): void;
  /** Ends it. */
  destroy(): void;
}

/** The place of the index `offset` into `text`, for `select`: it has no column, which nobody there asks for. */
export function caretAt(text: string, offset: number): Range {
  const at = { line: text.slice(0, offset).split("\n").length, column: 1, offset };
  return { start: at, end: at };
}

/** `text` with `edits`, which do not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const fromTheEnd = [...edits].sort((a, b) => b.range.start.offset - a.range.start.offset);
  return fromTheEnd.reduce(
    (made, { range, newText }) => made.slice(0, range.start.offset) + newText + made.slice(range.end.offset),
    text,
  );
}
