/**
 * What is known of each key of a workflow file: made from the core's own tables.
 *
 * @module
 */

import { tables } from "step-retry:keys";

/** What a step is made by. */
export type Kind = "auto" | "agent" | "guard" | "finalizer";

/** A block whose keys are known. */
export type BlockName = "workflow" | "step" | "retry" | "gate" | "validation_exhaustion";

/** What becomes of a step key on one kind of step: it does its work, nothing reads it, or the file is refused. */
export type Fate = "read" | "unread" | "refused";

/** A key of a workflow file. */
export interface Key {
  /** Its spelling. */
  name: string;
  /** What it is for, in one sentence. */
  about: string;
  /** What kind of value it takes. */
  takes: "any" | "number" | "count" | "boolean" | "map" | "step_names" | "word";
  /** What its value has to be, as in `must be a boolean`; absent where it may be anything. */
  demand?: string;
  /** The words it takes. */
  words?: readonly string[];
  /** What holds where it is absent, as one would write it. */
  default?: string;
  /** The unit of a time. */
  unit?: "ms" | "s";
  /** Of a step key: what becomes of it on each of {@link KINDS}, in that order. */
  on?: readonly Fate[];
  /** Of a step key: why it is refused where it is. */
  why?: string;
}

/** The kinds of step, in the order of {@link Key.on}. */
export const KINDS: readonly Kind[] = tables.kinds as readonly Kind[];

/** The keys of `block`, in the order of the tables. */
export function keysOf(block: BlockName): readonly Key[] {
  return tables[block] as readonly Key[];
}

/** The key of `block` that is called `name`. */
export function findKey(block: BlockName, name: string): Key | undefined {
  return keysOf(block).find((key) => key.name === name);
}

/** Whether `name` is a block inside a step. */
export function isStepBlock(name: string | undefined): name is "retry" | "gate" | "validation_exhaustion" {
  return name === "retry" || name === "gate" || name === "validation_exhaustion";
}

/** What becomes of `key` on steps of `kind`; it does its work where that is not known. */
export function fate(key: Key, kind: Kind | undefined): Fate {
  return (kind && key.on?.[KINDS.indexOf(kind)]) || "read";
}
