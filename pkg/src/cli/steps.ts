/**
 * Finding a step by its name, and the limits it runs under.
 *
 * @module
 */

import type { Report, StepLimits, StepSummary } from "../types.js";
import { Refusal } from "./exit.js";
import { isLoaderError } from "./verdict.js";

/** A name this many edits away or closer is offered as what was meant. */
const NEAR = 3;
/** How many names are listed where none is near. */
const NAMES_LISTED = 10;

/**
 * The step of `report` called `name`.
 *
 * @throws {Refusal} `UNKNOWN_STEP`, with the nearest names or else all of them.
 */
export function findStep(report: Report, name: string): StepSummary {
  const found = report.steps.find((step) => step.name === name);
  if (found !== undefined) return found;
  const names = report.steps.map((step) => step.name);
  throw new Refusal(`UNKNOWN_STEP: the file has no step '${name}'${hint(name, names)}`);
}

/**
 * The limits that `step` runs under; those of the defaults where an auto step names none.
 *
 * @throws {Refusal} when they are refused, or when it is no step that runs under limits.
 */
export function limitsOf(report: Report, step: StepSummary): StepLimits {
  if (step.limits !== undefined) return step.limits;
  const error = report.diagnostics.find((diagnostic) => isLoaderError(diagnostic) && diagnostic.step === step.name);
  if (error !== undefined) throw new Refusal(`Invalid workflow: ${error.message}`);
  if (step.execution === "auto") return {};
  throw new Refusal(
    `Step '${step.name}' is of kind ${step.execution ?? "unknown"}: it does not run under 'timeout_seconds' or 'retry'`,
  );
}

function hint(name: string, names: string[]): string {
  const near = names
    .map((other) => ({ other, distance: editDistance(name, other) }))
    .filter(({ other, distance }) => distance <= NEAR && distance < other.length)
    .sort((a, b) => a.distance - b.distance);
  if (near.length > 0) return `; did you mean ${near.map(({ other }) => `'${other}'`).join(" or ")}?`;
  if (names.length === 0) return "; it has no steps";
  const more = names.length > NAMES_LISTED ? ` and ${names.length - NAMES_LISTED} more` : "";
  return `; it has ${names.slice(0, NAMES_LISTED).join(", ")}${more}`;
}

/** The least number of letters to insert, delete or replace to make `from` into `to`. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
