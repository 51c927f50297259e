/**
 * A plan in sentences and table cells, the same on the page and in the terminal.
 *
 * @module
 */

import type { Plan, PlanRow, WaitBand } from "../types.js";
import { duration, spoken } from "./duration.js";
import { count } from "./numbers.js";
import { NOT_REACHED } from "./texts.js";
import { attemptLabel, upToTheFirstUnreached } from "./timeline.js";

/** How many waits a sentence lists before it sums the rest up. */
export const WAITS_LISTED = 4;

/** What of a step and its options a plan does not tell. */
export interface Reading {
  /** Whether an attempt that ran to its limit is tried again. */
  retriesTimeouts: boolean;
  /** Whether the total limit only decides whether another attempt may start. */
  gate: boolean;
}

/**
 * What a plan does, in one sentence. `waits` are the bands of its first waits, as many as there are but at
 * most {@link WAITS_LISTED}, then that of its last.
 */
export function explanation(plan: Plan, waits: readonly WaitBand[], reading: Reading): string {
  const clauses = [tries(plan, waits), stop(plan, reading), end(plan, reading), calls(plan)];
  return `${clauses.filter((clause) => clause !== undefined).join("; ")}.`;
}

function tries(plan: Plan, waits: readonly WaitBand[]): string {
  const last = waits.at(-1);
  if (plan.maxAttempts === 1 || last === undefined) return "Tries once";
  const times = `Tries up to ${count(plan.maxAttempts)} times, `;
  if (plan.totalWaitMs === 0) return `${times}one right after the other`;
  const atRandom = last.min < last.max ? "at random " : "";
  return `${times}waiting ${atRandom}${listed(waits.map(band), last, plan.maxAttempts - 1)}`;
}

/** Waits that never shrink, `all` of them: the first ones in words, and the last. */
function listed(words: readonly string[], last: WaitBand, all: number): string {
  const lastInWords = band(last);
  if (all === 1) return `${lastInWords} in between`;
  const steadyFrom = words.indexOf(lastInWords);
  if (steadyFrom === 0) return `${lastInWords} each time`;
  if (steadyFrom < WAITS_LISTED) {
    const each = steadyFrom < all - 1 ? " each time" : "";
    return `${words.slice(0, steadyFrom).join(", ")}, then ${lastInWords}${each}`;
  }
  const end = last.min === last.max ? `up to ${lastInWords}` : lastInWords;
  return `${words.slice(0, WAITS_LISTED - 1).join(", ")} … ${end}`;
}

function stop({ attemptTimeoutMs, maxAttempts }: Plan, { retriesTimeouts }: Reading): string {
  if (attemptTimeoutMs === null) return `lets ${maxAttempts === 1 ? "it" : "each try"} run as long as it takes`;
  if (maxAttempts === 1) return `stops after ${duration(attemptTimeoutMs)}`;
  return `stops each try after ${duration(attemptTimeoutMs)}${retriesTimeouts ? " and tries again" : ""}`;
}

function end(plan: Plan, { gate }: Reading): string | undefined {
  const { attemptTimeoutMs, budgetMs, maxAttempts, reachableAttempts } = plan;
  if (budgetMs === null) return maxAttempts === 1 ? undefined : "has no total limit";
  if (maxAttempts === 1 && (gate || budgetMs >= (attemptTimeoutMs ?? 0))) return undefined;
  const room = `, with time for no more than ${count(reachableAttempts)} ${reachableAttempts === 1 ? "try" : "tries"}`;
  const few = reachableAttempts < maxAttempts ? room : "";
  if (!gate) return `gives up after ${duration(budgetMs)} at the latest${few}`;
  // Whenever the last try starts, it has its whole time.
  const over =
    attemptTimeoutMs === null ? "" : ` and is done after ${duration(budgetMs + attemptTimeoutMs)} at the latest`;
  return `starts no try after ${duration(budgetMs)}${few}${over}`;
}

function calls({ maxAttempts, maxCalls }: Plan): string | undefined {
  return maxCalls > maxAttempts ? `makes up to ${count(maxCalls)} calls` : undefined;
}

/** What all of it together may take: `Total limit 3.6 s, made from the schedule. Worst case 3.6 s and 3 calls.` */
export function totalsSentence(plan: Plan): string {
  const made = plan.maxCalls === 1 ? "1 call" : `${count(plan.maxCalls)} calls`;
  return `${limit(plan)} ${worstCase(plan)} and ${made}.`;
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
  if (min === max) return duration(max);
  return min === 0 ? `up to ${duration(max)}` : `${duration(min)} to ${duration(max)}`;
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
  return [count(attempt), wait, duration(startMs), limit, note];
}

function unreachedCells(plan: Plan, row: PlanRow): string[] {
  const note = row.reason === undefined ? NOT_REACHED : spoken(row.reason);
  return [attemptLabel(row, plan.maxAttempts), band(row.waitBeforeMs), "-", "-", note];
}
