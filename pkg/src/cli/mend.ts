/**
 * Mending what can be mended without a choice to make.
 *
 * @module
 */

import { validate } from "../index.js";
import type { Diagnostic, Fix, TextEdit } from "../types.js";

/** A mended text. */
export interface Mended {
  /** The text with all mendings in it. */
  text: string;
  /** What was done, with the line it was done at, in the order it was done. */
  done: { line: number; title: string }[];
}

/** More rounds than any file needs: only mendings that undo each other would get here. */
const MOST_ROUNDS = 1000;

/**
 * Mends every problem of `text` that has exactly one mending; advice is left to its reader. Where
 * there are several mendings, such as attesting that a step is idempotent or no longer retrying it,
 * only the file's author can say which.
 */
export function mend(text: string): Mended {
  const done: Mended["done"] = [];
  let mended = text;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const fixes = clearFixes(validate(mended).diagnostics);
    if (fixes.length === 0) break;
    done.push(...fixes.map(({ title, edits }) => ({ line: edits[0]?.range.start.line ?? 1, title })));
    mended = apply(
      mended,
      fixes.flatMap(({ edits }) => edits),
    );
  }
  return { text: mended, done };
}

/**
 * The first clear mending of each step and of the file's top. A second one of the same step may be
 * answered by the first: a key that was only misspelled is not missing. The next round will tell.
 */
export function clearFixes(diagnostics: readonly Diagnostic[]): Fix[] {
  const fixes = new Map<string | undefined, Fix>();
  for (const { severity, step, fixes: offered } of diagnostics) {
    const [fix, ...others] = offered;
    if (fix === undefined || others.length > 0 || severity === "info" || fixes.has(step)) continue;
    // Steps that share a block by an alias share its mending too.
    if ([...fixes.values()].some((other) => overlap(fix, other))) continue;
    fixes.set(step, fix);
  }
  return [...fixes.values()];
}

function overlap(one: Fix, other: Fix): boolean {
  return one.edits.some(({ range: a }) =>
    other.edits.some(({ range: b }) => a.start.offset <= b.end.offset && b.start.offset <= a.end.offset),
  );
}

/** `text` with `edits`, which do not overlap, made from the last to the first so that no offset moves. */
function apply(text: string, edits: readonly TextEdit[]): string {
  const fromTheEnd = [...edits].sort((a, b) => b.range.start.offset - a.range.start.offset);
  return fromTheEnd.reduce(
    (made, { range, newText }) => made.slice(0, range.start.offset) + newText + made.slice(range.end.offset),
    text,
  );
}
