/**
 * Where in a workflow file a position is: which block, which key, which step. It goes by indentation
 * alone, so that it also knows while a line is half written and the file is no YAML.
 *
 * @module
 */

import type { Line, Text } from "@codemirror/state";
import { type BlockName, isStepBlock, KINDS, type Kind } from "./keys.js";
import { type KeyLine, readKey } from "./read-key.js";

/** A position, as completion and hover texts need it. */
export interface Place {
  /** The keys of the blocks around it, from the file's top. */
  path: readonly string[];
  /** The block it is in, where its keys are known. */
  block: BlockName | undefined;
  /** The key it belongs to: the one it is on, or whose value it is. Empty on an empty line. */
  key: string;
  /** Whether it is on the key or behind its colon. */
  on: "key" | "value";
  /** Where the word begins that it is in. */
  from: number;
  /** The kind of the step it is in, where one is written. */
  kind: Kind | undefined;
}

/** A key inside braces, up to the end of what is given. */
const FLOW_KEY = /(?:^|[{,])\s*(?:"([^"]*)"|'([^']*)'|([\w$.-]+))\s*:(?:\s|$)/;

/** Where `pos` is. */
export function placeAt(doc: Text, pos: number): Place {
  const line = doc.lineAt(pos);
  const before = line.text.slice(0, pos - line.from);
  const own = readKey(line.text);
  const indent = own?.indent ?? before.search(/\S|$/);
  const around = ancestors(doc, line.number, indent);
  const inFlow = flowPlace(before, own, around);
  if (inFlow !== undefined) return finish(doc, line, inFlow.path, inFlow.key, inFlow.on, pos);
  const onValue = own !== undefined && before.length >= own.valueAt;
  const key = own?.name ?? before.trim();
  return finish(doc, line, around, key, onValue ? "value" : "key", pos);
}

function finish(doc: Text, line: Line, path: string[], key: string, on: Place["on"], pos: number): Place {
  const word = /[\w$.-]*$/.exec(line.text.slice(0, pos - line.from))?.[0].length ?? 0;
  return { path, block: blockOf(path), key, on, from: pos - word, kind: kindOf(doc, line.number, path) };
}

function blockOf(path: readonly string[]): BlockName | undefined {
  if (path.length === 0) return "workflow";
  if (path[0] !== "steps") return undefined;
  if (path.length === 2) return "step";
  const inner = path[2];
  return path.length === 3 && isStepBlock(inner) ? inner : undefined;
}

/** The keys of the blocks around a line that is indented by `indent`, the outermost first. */
function ancestors(doc: Text, number: number, indent: number): string[] {
  const path: string[] = [];
  let room = indent;
  for (let above = number - 1; above >= 1 && room > 0; above--) {
    const key = readKey(doc.line(above).text);
    if (key === undefined || key.indent >= room) continue;
    path.unshift(key.name);
    room = key.indent;
  }
  return path;
}

/** The place inside the braces of a line, if `before` has opened some and not closed them. */
function flowPlace(before: string, own: KeyLine | undefined, around: string[]) {
  const opened: number[] = [];
  for (let at = own?.valueAt ?? 0; at < before.length; at++) {
    if (before[at] === "{") opened.push(at);
    else if (before[at] === "}") opened.pop();
  }
  const innermost = opened.at(-1);
  if (innermost === undefined) return undefined;
  const path = own === undefined ? [...around] : [...around, own.name];
  for (const [nth, at] of opened.entries()) {
    const next = opened[nth + 1];
    if (next === undefined) break;
    path.push(lastFlowKey(before.slice(at, next)) ?? "");
  }
  const inside = before.slice(innermost);
  const entry = inside.slice(inside.lastIndexOf(",") + 1);
  const key = lastFlowKey(inside.includes(",") ? `,${entry}` : inside);
  return { path, key: key ?? entry.replace(/^\{/, "").trim(), on: key === undefined ? "key" : "value" } as const;
}

function lastFlowKey(text: string): string | undefined {
  const found = FLOW_KEY.exec(text);
  return found === null ? undefined : (found[1] ?? found[2] ?? found[3]);
}

/** What the `execution` of the step at `path` says. */
function kindOf(doc: Text, number: number, path: readonly string[]): Kind | undefined {
  if (path[0] !== "steps" || path.length < 2) return undefined;
  const written = [...siblingLines(doc, number, path.length)].map(
    (text) => /\bexecution\s*:\s*["']?(\w+)/.exec(text)?.[1],
  );
  return KINDS.find((kind) => written.includes(kind));
}

/** The lines of the step that line `number` is in, `depth` blocks deep. */
function* siblingLines(doc: Text, number: number, depth: number): Generator<string> {
  let top = number;
  let room = indentOf(doc.line(number).text);
  for (let left = depth - 1; top > 1 && left > 0; ) {
    top -= 1;
    const key = readKey(doc.line(top).text);
    if (key === undefined || key.indent >= room) continue;
    room = key.indent;
    left -= 1;
  }
  yield doc.line(top).text;
  for (let below = top + 1; below <= doc.lines; below++) {
    const { text } = doc.line(below);
    if (text.trim() !== "" && indentOf(text) <= room) return;
    yield text;
  }
}

function indentOf(text: string): number {
  const key = readKey(text);
  return key?.indent ?? text.search(/\S|$/);
}

/** The keys that stand in the block of line `number` beside it, in the order of the file. */
export function keysBeside(doc: Text, number: number, indent: number): string[] {
  const found: string[] = [];
  for (const step of [-1, 1]) {
    for (let at = number + step; at >= 1 && at <= doc.lines; at += step) {
      const { text } = doc.line(at);
      const key = readKey(text);
      if (key === undefined) continue;
      if (key.indent < indent) break;
      if (key.indent === indent) found.push(key.name);
    }
  }
  return found;
}
