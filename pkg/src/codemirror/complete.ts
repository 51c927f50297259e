/**
 * The keys and values that fit where the cursor is.
 *
 * @module
 */

import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  startCompletion,
} from "@codemirror/autocomplete";
import type { EditorView } from "@codemirror/view";
import { reportOf } from "./check.js";
import { fate, findKey, type Key, keysOf } from "./keys.js";
import { keysBeside, type Place, placeAt } from "./place.js";
import { fateOf, ruleOf } from "./texts.js";

const WORD = /^[\w$.-]*$/;

/** Completes keys by block and kind of step, and the values that a key takes. */
export function completeWorkflow(context: CompletionContext): CompletionResult | null {
  const { state, pos, explicit } = context;
  const line = state.doc.lineAt(pos);
  const place = placeAt(state.doc, pos);
  if (place.block === undefined || /^\s*#|\s#/.test(line.text.slice(0, pos - line.from))) return null;
  if (place.on === "value") return completeValue(context, place, line.text);
  // An empty line is where one writes a new key, but also where one only passes.
  if (place.from === pos && !explicit) return null;
  return complete(place, keysAt(context, place), WORD);
}

/** A value that stands there in full is not offered: Enter behind it is to begin the next line. */
function completeValue(context: CompletionContext, place: Place, line: string): CompletionResult | null {
  const { explicit, pos, state } = context;
  const options = valuesAt(context, place);
  const goesOn = (text: string) => WORD.test(text) && options.every(({ label }) => label !== text);
  const wanted = explicit || valueJustBegan(line);
  return wanted && goesOn(state.sliceDoc(place.from, pos)) ? complete(place, options, goesOn) : null;
}

function valueJustBegan(text: string): boolean {
  return /:\s+[\w$.-]*\s*$/.test(text);
}

function complete(
  { from }: Place,
  options: Completion[],
  validFor: RegExp | ((text: string) => boolean),
): CompletionResult | null {
  return options.length > 0 ? { from, options, validFor } : null;
}

function keysAt({ state, pos }: CompletionContext, { block, kind, from }: Place): Completion[] {
  if (block === undefined) return [];
  const line = state.doc.lineAt(pos);
  const indent = from - line.from;
  const there = new Set(keysBeside(state.doc, line.number, indent));
  const colonFollows = /^[\w-]*\s*:/.test(line.text.slice(pos - line.from));
  return keysOf(block)
    .filter((key) => !there.has(key.name) && fate(key, kind) !== "refused")
    .map((key, rank) => keyCompletion(key, kind, rank, colonFollows ? undefined : indent));
}

/** The completion of `key`; `indent` is that of its line, absent where its colon is there already. */
function keyCompletion(key: Key, kind: Place["kind"], rank: number, indent: number | undefined): Completion {
  const isRead = fate(key, kind) === "read";
  return {
    label: key.name,
    type: key.takes === "map" ? "namespace" : "property",
    detail: key.unit ?? "",
    info: [key.about, ruleOf(key), fateOf(key, kind)].filter((text) => text !== "").join(" "),
    // As the tables have them; what nothing reads comes last.
    boost: (isRead ? 50 : -50) - rank,
    ...(indent === undefined ? {} : { apply: (view, _, from, to) => applyKey(view, key, indent, from, to) }),
  };
}

function applyKey(view: EditorView, key: Key, indent: number, from: number, to: number): void {
  const block = key.takes === "map" ? `\n${" ".repeat(indent + 2)}` : " ";
  const insert = view.state.toText(`${key.name}:${block}`);
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + insert.length },
    userEvent: "input.complete",
  });
  if (key.takes !== "any") startCompletion(view);
}

function valuesAt(context: CompletionContext, place: Place): Completion[] {
  const key = place.block && findKey(place.block, place.key);
  if (key === undefined) return [];
  if (key.takes === "step_names") return stepNames(context);
  const words = key.takes === "boolean" || key.name === "idempotent" ? ["true", "false"] : (key.words ?? []);
  const values = key.takes === "count" && key.default !== undefined ? [key.default] : words;
  return values.map((label, rank) => ({
    label,
    type: "constant",
    boost: -rank,
    ...(label === key.default ? { detail: "default" } : {}),
  }));
}

/** Every step but the one the cursor is in. */
function stepNames({ state, pos }: CompletionContext): Completion[] {
  return reportOf(state)
    .steps.filter(({ range }) => pos < range.start.offset || range.end.offset < pos)
    .map(({ name, execution }) => ({
      label: name,
      type: "variable",
      ...(execution === null ? {} : { detail: execution }),
    }));
}
