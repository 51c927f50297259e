/**
 * What a step's limits will do, in a sentence.
 *
 * @module
 */

import { attemptsSentence } from "../draw/words.js";
import { planRows } from "../index.js";
import type { Plan, StepLimits } from "../types.js";

/** Rows enough for the waits that a sentence lists. */
const ROWS = 6;

/** Limits whose sentence is kept; more than a long file has. */
const KEPT = 2000;

const known = new Map<string, string>();

/** What `limits`, whose plan is `plan`, will do. A keystroke changes one block of many: the others are known. */
export function explainLimits(limits: StepLimits, plan: Plan): string {
  const key = JSON.stringify(limits);
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const sentence = attemptsSentence(plan, planRows(limits, { count: ROWS }));
  if (known.size >= KEPT) known.clear();
  known.set(key, sentence);
  return sentence;
}
