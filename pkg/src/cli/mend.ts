/**
 * Mending what can be mended without a choice to make.
 *
 * @module
 */

import { validate } from "../index.js";
import type { Fix, TextEdit } from "../types.js";

/** A mended text. */
export interface Mended {
  /** The text with all mendings in it. */
  text: string;
  /** What was done, with the line it was done at, in the order it was done. */
  done: { line: number; title: string }[];
}

/** Each round may uncover problems that an early exit of the loader had hidden; a file has no more layers than this. */
const MOST_ROUNDS = 10;

/**
 * Mends every problem of `text` that has exactly one mending. Where there are several, such as
 * attesting that a step is idempotent or no longer retrying it, only its author can say which.
 */
export function mend(text: string): Mended {
  const done: Mended["done"] = [];
  let mended = text;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const fixes = withoutOverlaps(onlyFixes(mended));
    if (fixes.length === 0) break;
    done.push(...fixes.map(({ title, edits }) => ({ line: edits[0]?.range.start.line ?? 1, title })));
    mended = apply(
      mended,
      fixes.flatMap(({ edits }) => edits),
    );
  }
  return { text: mended, done };
}

function onlyFixes(text: string): Fix[] {
  const single = validate(text).diagnostics.map(({ fixes }) => (fixes.length === 1 ? fixes[0] : undefined));
  return single.filter((fix) => fix !== undefined && fix.edits.length > 0) as Fix[];
}

/** The fixes in file order, leaving out any that touches what an earlier one changes; the next round finds it again. */
function withoutOverlaps(fixes: Fix[]): Fix[] {
  const taken: TextEdit[] = [];
  return fixes.filter(({ edits }) => {
    if (edits.some((edit) => taken.some((other) => touches(edit, other)))) return false;
    taken.push(...edits);
    return true;
  });
}

function touches({ range: a }: TextEdit, { range: b }: TextEdit): boolean {
  return a.start.offset <= b.end.offset && b.start.offset <= a.end.offset;
}

/** `text` with `edits`, which do not overlap, done from the last to the first so that no offset moves. */
export function apply(text: string, edits: readonly TextEdit[]): string {
  const fromTheEnd = [...edits].sort((a, b) => b.range.start.offset - a.range.start.offset);
  return fromTheEnd.reduce(
    (done, { range, newText }) => done.slice(0, range.start.offset) + newText + done.slice(range.end.offset),
    text,
  );
}
