/**
 * What a step's limits will do, in a sentence.
 *
 * @module
 */

import { unbroken } from "../draw/duration.js";
import { explain } from "../index.js";
import type { Jitter, StepLimits } from "../types.js";

/** Limits whose sentence is kept; more than a long file has. */
const KEPT = 2000;

const known = new Map<string, string>();

/** What `limits` will do under `jitter`. A keystroke changes one block of many: the others are known. */
export function explainLimits(limits: StepLimits, jitter: Jitter = "none"): string {
  const key = jitter + JSON.stringify(limits);
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const sentence = unbroken(explain(limits, { jitter }));
  if (known.size >= KEPT) known.clear();
  known.set(key, sentence);
  return sentence;
}
