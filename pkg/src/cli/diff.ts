/**
 * What changed between two texts, as a unified diff.
 *
 * @module
 */

/** Unchanged lines around a change. */
const CONTEXT = 3;

/** A line of the common run of two texts. */
interface Entry {
  mark: " " | "-" | "+";
  line: string;
}

/** The diff from `before` to `after`, both being what is at `path`; no lines where nothing changed. */
export function unifiedDiff(path: string, before: string, after: string): string[] {
  if (before === after) return [];
  const entries = compare(splitLines(before), splitLines(after));
  return [`--- ${path}`, `+++ ${path}`, ...hunks(entries).flatMap((hunk) => hunkLines(entries, hunk))];
}

/** The lines of `text`, each with its own break, so that a changed break is a changed line. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Both texts as one run of kept, removed and added lines: the shortest, by Myers' greedy search. */
function compare(before: string[], after: string[]): Entry[] {
  const traces: Map<number, number>[] = [];
  let reach = new Map<number, number>([[1, 0]]);
  for (let cost = 0; cost <= before.length + after.length; cost++) {
    traces.push(reach);
    const next = new Map(reach);
    for (let diagonal = -cost; diagonal <= cost; diagonal += 2) {
      let x = cameByInsertion(reach, diagonal, cost) ? at(reach, diagonal + 1) : at(reach, diagonal - 1) + 1;
      while (x < before.length && x - diagonal < after.length && before[x] === after[x - diagonal]) x++;
      next.set(diagonal, x);
      if (x >= before.length && x - diagonal >= after.length) return backtrack(traces, before, after);
    }
    reach = next;
  }
  return [];
}

function cameByInsertion(reach: Map<number, number>, diagonal: number, cost: number): boolean {
  return diagonal === -cost || (diagonal !== cost && at(reach, diagonal - 1) < at(reach, diagonal + 1));
}

function at(reach: Map<number, number>, diagonal: number): number {
  return reach.get(diagonal) ?? -1;
}

function backtrack(traces: Map<number, number>[], before: string[], after: string[]): Entry[] {
  const entries: Entry[] = [];
  let x = before.length;
  let y = after.length;
  for (let cost = traces.length - 1; cost >= 0; cost--) {
    const reach = traces[cost] ?? new Map<number, number>();
    const diagonal = x - y;
    const inserted = cameByInsertion(reach, diagonal, cost);
    const fromX = at(reach, inserted ? diagonal + 1 : diagonal - 1);
    const fromY = fromX - (inserted ? diagonal + 1 : diagonal - 1);
    while (x > fromX && y > fromY) {
      entries.push({ mark: " ", line: before[--x] ?? "" });
      y--;
    }
    if (cost === 0) break;
    entries.push(inserted ? { mark: "+", line: after[--y] ?? "" } : { mark: "-", line: before[--x] ?? "" });
  }
  return entries.reverse();
}

/** Stretches of entries, from first to past the last, that hold all changes with their context. */
function hunks(entries: Entry[]): [number, number][] {
  const found: [number, number][] = [];
  for (const [index, { mark }] of entries.entries()) {
    if (mark === " ") continue;
    const from = Math.max(0, index - CONTEXT);
    const to = Math.min(entries.length, index + CONTEXT + 1);
    const last = found.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = to;
    else found.push([from, to]);
  }
  return found;
}

function hunkLines(entries: Entry[], [from, to]: [number, number]): string[] {
  const count = (part: Entry[], without: "-" | "+") => part.filter(({ mark }) => mark !== without).length;
  const earlier = entries.slice(0, from);
  const shown = entries.slice(from, to);
  const side = (without: "-" | "+") => span(count(earlier, without), count(shown, without));
  return [`@@ -${side("+")} +${side("-")} @@`, ...shown.map(({ mark, line }) => entryLine(mark, line))];
}

/** Where a side of a hunk begins and how many lines it has; an empty one stands after the line it names. */
function span(earlier: number, lines: number): string {
  return `${lines === 0 ? earlier : earlier + 1},${lines}`;
}

function entryLine(mark: string, line: string): string {
  return line.endsWith("\n") ? mark + line.slice(0, -1) : `${mark}${line}\n\\ No newline at end of file`;
}
