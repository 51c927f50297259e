/**
 * A plan in sentences and table cells, the same on the page and in the terminal.
 *
 * @module
 */

import type { Plan, PlanRow, WaitBand } from "../types.js";
import { duration } from "./duration.js";
import { attemptLabel, upToTheFirstUnreached } from "./timeline.js";

/** How many waits a sentence lists before it says "and so on". */
const WAITS_LISTED = 4;

/** What the attempts will do: `Up to 3 attempts of at most 1 s each, waiting 200 ms, then 400 ms.` */
export function attemptsSentence(plan: Plan, rows: readonly PlanRow[]): string {
  const limited = plan.attemptTimeoutMs === null ? "without a limit" : `of at most ${duration(plan.attemptTimeoutMs)}`;
  if (plan.maxAttempts === 1) return `One attempt ${limited}.`;
  return `Up to ${plan.maxAttempts} attempts ${limited} each, ${waits(plan, rows)}.`;
}

function waits(plan: Plan, rows: readonly PlanRow[]): string {
  if (plan.totalWaitMs === 0) return "one right after the other";
  const bands = rows.filter(({ attempt }) => attempt > 1).map(({ waitBeforeMs }) => band(waitBeforeMs));
  if (bands.length > 1 && bands.every((text) => text === bands[0])) return `waiting ${bands[0] ?? ""} between them`;
  const more = plan.maxAttempts - 1 > WAITS_LISTED ? ", and so on" : "";
  return `waiting ${bands.slice(0, WAITS_LISTED).join(", then ")}${more}`;
}

/** What all of it together may take: `Total limit 3.6 s, made from the schedule. Worst case 3.6 s and 3 calls.` */
export function totalsSentence(plan: Plan): string {
  const calls = plan.maxCalls === 1 ? "1 call" : `${plan.maxCalls} calls`;
  return `${limit(plan)} ${worstCase(plan)} and ${calls}.`;
}

/** The latest end there can be; a quick failure may make room for an attempt more than the plan shows. */
function worstCase({ latestEndMs, worstCaseMs }: Plan): string {
  if (latestEndMs === null || worstCaseMs === null) return "No bound on the time it takes";
  if (latestEndMs === worstCaseMs) return `Worst case ${duration(latestEndMs)}`;
  return `Worst case ${duration(latestEndMs)}, ${duration(worstCaseMs)} if every attempt runs to its limit,`;
}

function limit(plan: Plan): string {
  if (plan.budgetMs === null) return "No total limit.";
  const source = plan.budgetSource === "declared" ? "as declared" : "made from the schedule";
  return `Total limit ${duration(plan.budgetMs)}, ${source}.`;
}

/** A wait: one time, or from where to where under jitter. */
export function band({ min, max }: WaitBand): string {
  return min === max ? duration(max) : `${duration(min)} to ${duration(max)}`;
}

/**
 * A plan's rows as a table. Its last column, what the total limit does to an attempt, is left out
 * where it does nothing; attempts that never start share one row.
 */
export function planTable(plan: Plan, rows: readonly PlanRow[]): { heads: string[]; cells: string[][] } {
  const heads = ["attempt", "wait before", "starts at", "limit", "note"];
  const cells = upToTheFirstUnreached(rows).map((row) =>
    row.reachable ? reachedCells(plan, row) : unreachedCells(plan, row),
  );
  if (cells.some((row) => row.at(-1) !== "")) return { heads, cells };
  return { heads: heads.slice(0, -1), cells: cells.map((row) => row.slice(0, -1)) };
}

function reachedCells(plan: Plan, { attempt, waitBeforeMs, startMs, timeoutMs, clippedToMs }: PlanRow): string[] {
  const wait = attempt === 1 ? "-" : band(waitBeforeMs);
  const limit = timeoutMs === null ? "none" : duration(timeoutMs);
  const note = clippedToMs === undefined ? "" : `clipped from ${duration(plan.attemptTimeoutMs ?? 0)}`;
  return [`${attempt}`, wait, duration(startMs), limit, note];
}

function unreachedCells(plan: Plan, row: PlanRow): string[] {
  return [attemptLabel(row, plan.maxAttempts), band(row.waitBeforeMs), "-", "-", row.reason ?? "not reached"];
}
