/**
 * What goes into and comes out of the entry `step-retry/export`.
 *
 * @module
 */

import type { StepLimits } from "../types.js";
import type { EXPORT_TARGETS, IMPORT_SOURCES } from "./targets.js";

/** An engine that a policy can be written for. */
export type ExportTarget = (typeof EXPORT_TARGETS)[number];

/** Options of {@link exportPolicy}. */
export interface ExportOptions {
  /** What the step is called in the text. Default `step`. */
  name?: string | undefined;
}

/**
 * How well an engine does what a policy says, best first: the same; the same with the code that stands
 * in the text; something else, within what the losses tell; not what the author said.
 */
export type ExportVerdict = "exact" | "exact-with-code" | "approximate" | "refused";

/** What differs between a policy and an engine's settings for it; `docs/export.md` says what to do. */
export type LossCode =
  | "attempts-offset"
  | "attempts-range"
  | "delay-rounded"
  | "delay-zero"
  | "delay-range"
  | "linear-missing"
  | "backoff-missing"
  | "cap-missing"
  | "engine-default"
  | "jitter-forced"
  | "attempt-timeout-missing"
  | "timeout-retried"
  | "total-missing"
  | "total-soft"
  | "total-from-submit"
  | "total-equality"
  | "clip-missing"
  | "retryable-inverted"
  | "retry-after-missing"
  | "counter-volatile"
  | "exhausted-by-missing";

/** One difference. */
export interface Loss {
  /** What differs. */
  code: LossCode;
  /** How much this one matters; `exact` is a note. */
  verdict: ExportVerdict;
  /** One sentence for people. */
  message: string;
  /** The wait it is about, from 1: it follows the attempt of that number. */
  wait?: number;
  /** That wait here, in ms. */
  oursMs?: number;
  /** That wait there, in ms; its longest where it is spread at random. */
  theirsMs?: number;
}

/** One wait, here and there. */
export interface ExportedWait {
  /** Its number, from 1: it follows the attempt of that number. */
  wait: number;
  /** Here, in ms. */
  oursMs: number;
  /** There, in ms; the shortest where it is spread at random. */
  theirsMs: number;
  /** The longest there, in ms, where it is spread at random. */
  theirsMaxMs?: number;
}

/** A policy for another engine. */
export interface PolicyExport {
  /** The engine's own settings, as plain data. */
  value: Record<string, unknown>;
  /** The same in the engine's own language, with the code that they need beside them. */
  text: string;
  /** The worst of the losses. */
  verdict: ExportVerdict;
  /** What differs: attempts, waits, limits, the rest. */
  losses: Loss[];
  /** The first 100 waits that there can be, here and there. */
  waits: ExportedWait[];
}

/** Where a policy can be imported from. */
export type ImportSource = (typeof IMPORT_SOURCES)[number];

/** What a note about an imported policy is about. */
export type NoteCode =
  | "attempts-counted"
  | "attempts-unlimited"
  | "default-written"
  | "backoff-nearest"
  | "seconds-rounded"
  | "jitter-dropped"
  | "predicate-dropped"
  | "function-dropped"
  | "setting-dropped"
  | "retryable-inverted"
  | "timeout-retried";

/** Something to know about an imported policy. */
export interface ImportNote {
  /** What it is about. */
  code: NoteCode;
  /** One sentence for people. */
  message: string;
  /** The setting there, where it is about one. */
  key?: string;
}

/** A policy of another engine or library as a step's limits. */
export interface PolicyImport {
  /** The limits, as a workflow file holds them. */
  step: StepLimits;
  /** What to know about them. */
  notes: ImportNote[];
}
