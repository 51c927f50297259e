/**
 * What a step's limits will do, in a sentence.
 *
 * @module
 */

import { unbroken } from "../draw/duration.js";
import { explain } from "../index.js";
import type { StepLimits } from "../types.js";

/** Limits whose sentence is kept; more than a long file has. */
const KEPT = 2000;

const known = new Map<string, string>();

/** What `limits` will do. A keystroke changes one block of many: the others are known. */
export function explainLimits(limits: StepLimits): string {
  const key = JSON.stringify(limits);
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const sentence = unbroken(explain(limits));
  if (known.size >= KEPT) known.clear();
  known.set(key, sentence);
  return sentence;
}
