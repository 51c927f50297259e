/**
 * Writing one setting of a step into the file's text: its comments, order and spacing stay as they are.
 * What is written in a way that cannot be changed by itself (an alias, a merge, a step inside braces) is
 * left alone.
 *
 * @module
 */

import { readKey } from "../../pkg/src/codemirror/read-key.js";

/** A setting: a key of the step, or one of its `retry` block. */
export type Setting = readonly [key: string] | readonly ["retry", key: string];

/** The part of a step's summary that is needed to find it in the text. */
export interface StepPlace {
  range: { start: { offset: number }; end: { offset: number } };
}

/** `text` with `setting` of `step` being `value`, or absent; `undefined` where that cannot be written in place. */
export function writeSetting(text: string, step: StepPlace, setting: Setting, value: string | undefined) {
  const block = stepBlock(text, step);
  if (block === undefined) return undefined;
  const [key, inner] = setting;
  const written =
    inner === undefined ? writeOwn(block, key, value) : writeInner(block, block.find("retry"), inner, value);
  return written && block.with(written);
}

/** `text` with the `retry` block of `step` there, with `lines` in it, or gone. */
export function writeRetryBlock(text: string, step: StepPlace, lines: readonly string[] | undefined) {
  const block = stepBlock(text, step);
  if (block === undefined) return undefined;
  const at = block.find("retry");
  if (lines === undefined) {
    return at === undefined ? undefined : block.with([{ from: at, remove: block.extent(at), insert: [] }]);
  }
  if (at !== undefined) return undefined;
  const pad = " ".repeat(block.indent);
  const insert = [`${pad}retry:`, ...lines.map((line) => `${pad}  ${line}`)];
  return block.with([{ from: block.end, remove: 0, insert }]);
}

/** What `step` of `text` says under each of its keys, those of its `retry` in an object; allowed there or not. */
export function readLimits(text: string, step: StepPlace): Record<string, unknown> {
  const block = stepBlock(text, step);
  if (block === undefined) return {};
  const own = block.lines.slice(block.start + 1, block.end).filter((line) => readKey(line)?.indent === block.indent);
  const at = block.find("retry");
  return { ...valuesIn(own), ...(at === undefined ? {} : { retry: valuesIn(linesWithin(block, at)) }) };
}

/** Whether `step` of `text` has a `retry` that can be written in. */
export function hasRetryBlock(text: string, step: StepPlace): boolean {
  return stepBlock(text, step)?.find("retry") !== undefined;
}

/** A value behind its key: the space before it, itself, and what follows. */
const SCALAR = /^(\s*)("[^"]*"|'[^']*'|[^\s#&*|>{['"!][^#]*?)?(\s*|\s+#.*)$/;
/** A block in braces, likewise. */
const BRACES = /^(\s*\{)([^{}#]*)(\}\s*(?:#.*)?)$/;

interface LineEdit {
  from: number;
  remove: number;
  insert: readonly string[];
}

/** The lines of a step. */
class StepBlock {
  readonly lines: readonly string[];
  /** How its keys are indented. */
  readonly indent: number;
  /** The line of its name, and the one behind its last. */
  readonly start: number;
  readonly end: number;
  /** Lines in the middle of a quoted text, which may look like keys. */
  readonly #quoted: ReadonlySet<number>;

  constructor(lines: readonly string[], start: number, end: number, indent: number) {
    [this.lines, this.start, this.end, this.indent] = [lines, start, end, indent];
    this.#quoted = quotedLines(lines, start, end);
  }

  /** The line of the step's own `key`. */
  find(key: string): number | undefined {
    return this.findIn(this.start + 1, this.end, this.indent, key);
  }

  findIn(from: number, to: number, indent: number, key: string): number | undefined {
    for (let at = from; at < to; at++) {
      const found = readKey(this.line(at));
      if (found?.indent === indent && found.name === key && !this.#quoted.has(at)) return at;
    }
    return undefined;
  }

  line(at: number): string {
    return this.lines[at] ?? "";
  }

  /** How many lines the key of line `at` takes, up to the last that is indented deeper and says something. */
  extent(at: number): number {
    const own = readKey(this.line(at))?.indent ?? 0;
    let last = at;
    for (let below = at + 1; below < this.end; below++) {
      const text = this.line(below);
      if (text.trim() === "") continue;
      if (text.search(/\S/) <= own) break;
      last = below;
    }
    return last - at + 1;
  }

  /** The whole text with `edits`, of which none overlaps another. */
  with(edits: readonly LineEdit[]): string {
    const lines = [...this.lines];
    for (const { from, remove, insert } of [...edits].sort((a, b) => b.from - a.from)) {
      lines.splice(from, remove, ...insert);
    }
    return lines.join("\n");
  }
}

/** What ends a quoted text, from behind the quote that opens it. */
const CLOSED = { '"': /^(?:[^"\\]|\\.)*"/, "'": /^(?:[^']|'')*'(?!')/ };

/** Of the lines from `start` to `end` those to which a quoted text goes on from the line before. */
function quotedLines(lines: readonly string[], start: number, end: number): ReadonlySet<number> {
  const quoted = new Set<number>();
  let closed: RegExp | undefined;
  for (let at = start; at < end; at++) {
    const line = lines[at] ?? "";
    if (closed !== undefined) {
      quoted.add(at);
      if (closed.test(line)) closed = undefined;
      continue;
    }
    const value = line.slice(readKey(line)?.valueAt ?? line.length).trimStart();
    const opened = value[0] === '"' || value[0] === "'" ? CLOSED[value[0]] : undefined;
    if (opened?.test(value.slice(1)) === false) closed = opened;
  }
  return quoted;
}

function stepBlock(text: string, { range }: StepPlace): StepBlock | undefined {
  const lines = text.split("\n");
  const start = lineOf(text, range.start.offset);
  const name = readKey(lines[start] ?? "");
  if (name === undefined || !isBare((lines[start] ?? "").slice(name.valueAt))) return undefined;
  let end = lineOf(text, Math.max(range.start.offset, range.end.offset - 1)) + 1;
  while (end > start + 1 && /^\s*(#|$)/.test(lines[end - 1] ?? "")) end--;
  const first = lines
    .slice(start + 1, end)
    .map(readKey)
    .find((key) => key !== undefined);
  if (first === undefined || first.indent <= name.indent) return undefined;
  return new StepBlock(lines, start, end, first.indent);
}

function lineOf(text: string, offset: number): number {
  let line = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

/** Whether nothing but a comment stands in `rest`. */
function isBare(rest: string): boolean {
  return /^\s*(#.*)?$/.test(rest);
}

function writeOwn(block: StepBlock, key: string, value: string | undefined): LineEdit[] | undefined {
  const at = block.find(key);
  if (at !== undefined) return rewrite(block, at, value);
  if (value === undefined) return [];
  const line = `${" ".repeat(block.indent)}${key}: ${value}`;
  return [{ from: block.find("retry") ?? block.end, remove: 0, insert: [line] }];
}

/** The line `at` with another value, or none of it. */
function rewrite(block: StepBlock, at: number, value: string | undefined): LineEdit[] | undefined {
  if (value === undefined) return [{ from: at, remove: block.extent(at), insert: [] }];
  const line = block.line(at);
  const key = readKey(line);
  const found = key && SCALAR.exec(line.slice(key.valueAt));
  if (key === undefined || found === null || found === undefined) return undefined;
  const below = block.lines.slice(at + 1, at + block.extent(at));
  // The value stands, or goes on, below its key.
  if (!below.every(isBare)) return undefined;
  const [, space = "", , rest = ""] = found;
  return [{ from: at, remove: 1, insert: [`${line.slice(0, key.valueAt)}${space || " "}${value}${rest}`] }];
}

function writeInner(block: StepBlock, at: number | undefined, key: string, value: string | undefined) {
  const pad = " ".repeat(block.indent);
  if (at === undefined) {
    if (value === undefined) return [];
    return [{ from: block.end, remove: 0, insert: [`${pad}retry:`, `${pad}  ${key}: ${value}`] }];
  }
  const line = block.line(at);
  const valueAt = readKey(line)?.valueAt ?? 0;
  const braces = BRACES.exec(line.slice(valueAt));
  if (braces !== null) {
    const [, open = "", inside = "", close = ""] = braces;
    return [{ from: at, remove: 1, insert: [line.slice(0, valueAt) + open + writeEntry(inside, key, value) + close] }];
  }
  if (!isBare(line.slice(valueAt))) return undefined;
  const behind = at + block.extent(at);
  const first = block.lines
    .slice(at + 1, behind)
    .map(readKey)
    .find((found) => found !== undefined);
  const indent = first?.indent ?? block.indent + 2;
  const own = block.findIn(at + 1, behind, indent, key);
  if (own === undefined) {
    return value === undefined ? [] : [{ from: behind, remove: 0, insert: [`${" ".repeat(indent)}${key}: ${value}`] }];
  }
  const edits = rewrite(block, own, value);
  const others = block.lines.slice(at + 1, behind).filter((text) => readKey(text)?.indent === indent).length - 1;
  // A block without keys would be no block.
  if (value === undefined && others === 0)
    edits?.push({ from: at, remove: 1, insert: [line.replace(/:(\s*)/, ": {}$1")] });
  return edits;
}

/** The lines of the block that begins in line `at`, or what stands between its braces. */
function linesWithin(block: StepBlock, at: number): readonly string[] {
  const line = block.line(at);
  const inside = BRACES.exec(line.slice(readKey(line)?.valueAt ?? 0))?.[2];
  return inside?.split(",") ?? block.lines.slice(at + 1, at + block.extent(at));
}

function valuesIn(lines: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    lines.flatMap((line) => {
      const key = readKey(line);
      return key === undefined ? [] : [[key.name, readValue(line.slice(key.valueAt))]];
    }),
  );
}

/** The value at the beginning of `text`, as YAML reads a plain one; of any other its words. */
function readValue(text: string): unknown {
  const value = SCALAR.exec(text)?.[2] ?? "";
  if (value === "true" || value === "false") return value === "true";
  return value === "" || Number.isNaN(Number(value)) ? value.replace(/^(["'])(.*)\1$/, "$2") : Number(value);
}

/** What stands between braces, with `key` being `value`, or without it. */
function writeEntry(inside: string, key: string, value: string | undefined): string {
  const entries = inside.split(",").filter((entry) => entry.trim() !== "");
  const isOwn = (entry: string) => entry.split(":", 1)[0]?.trim() === key;
  if (value === undefined) return entries.filter((entry) => !isOwn(entry)).join(",");
  if (entries.some(isOwn)) {
    return entries.map((entry) => (isOwn(entry) ? entry.replace(/:\s*\S.*?(\s*)$/, `: ${value}$1`) : entry)).join(",");
  }
  const last = entries.pop();
  if (last === undefined) return `${key}: ${value}`;
  return [...entries, `${last.trimEnd()}`, ` ${key}: ${value}${/\s*$/.exec(last)?.[0] ?? ""}`].join(",");
}
