/**
 * Where a plan's attempts and waits lie on a line of time: numbers only, for whatever draws them.
 *
 * @module
 */

import type { Plan, PlanRow } from "../types.js";
import { count } from "./numbers.js";

/** One attempt as it lies in time, in ms from the start of attempt 1. */
export interface Lane {
  /** Its number, or those of all that never start. */
  label: string;
  /** Where the wait before it begins; equal to `startMs` where there is none. */
  waitFromMs: number;
  /** Where it begins. */
  startMs: number;
  /** Where it ends if it runs to its limit. */
  endMs: number;
  /** Whether the total limit cuts it short. */
  clipped: boolean;
  /** Whether it can start at all. */
  reachable: boolean;
  /** What became of it; absent in a plan, where it may still become anything. */
  outcome?: Outcome;
  /** A character or two that stand behind it, for those who do not tell colours apart. */
  mark?: string;
}

/** What became of an attempt; `running` is one that goes on. */
export type Outcome = "ok" | "failed" | "timeout" | "aborted" | "running";

/** Attempts on a common line of time. */
export interface Timeline {
  /** One lane for each attempt, in order. */
  lanes: Lane[];
  /** The right end of the line; above 0. */
  endMs: number;
  /** Where a declared total limit falls, when it is near enough to be drawn. */
  limitMs: number | null;
  /** A moment to mark, such as that of a run that goes on. */
  nowMs?: number;
}

/** A limit further out than this many times the last attempt's end would squeeze all else: it is not drawn. */
const LIMIT_REACH = 1.5;

/** What a timeline needs to know of a plan. */
export type TimelinePlan = Pick<Plan, "budgetMs" | "budgetSource" | "maxAttempts">;

/** Lays `rows` out, each attempt running to its limit, up to the first that never starts. */
export function timeline(rows: readonly PlanRow[], plan: TimelinePlan): Timeline {
  const lanes = upToTheFirstUnreached(rows).map((row) => lane(row, plan.maxAttempts));
  const lastEnd = lanes.reduce((end, { endMs, reachable }) => (reachable ? Math.max(end, endMs) : end), 0);
  const declared = plan.budgetSource === "declared" ? plan.budgetMs : null;
  const limitMs = declared !== null && declared <= lastEnd * LIMIT_REACH ? declared : null;
  return { lanes, endMs: Math.max(lastEnd, limitMs ?? 0, 1), limitMs };
}

/** `rows` up to and including the first that never starts; none after it does. */
export function upToTheFirstUnreached(rows: readonly PlanRow[]): PlanRow[] {
  const unreached = rows.findIndex(({ reachable }) => !reachable);
  return unreached < 0 ? [...rows] : rows.slice(0, unreached + 1);
}

/** The number of an attempt; of the first that never starts, the numbers of all that do not. */
export function attemptLabel({ attempt, reachable }: PlanRow, maxAttempts: number): string {
  return reachable || attempt === maxAttempts ? count(attempt) : `${count(attempt)}-${count(maxAttempts)}`;
}

function lane(row: PlanRow, maxAttempts: number): Lane {
  return {
    label: attemptLabel(row, maxAttempts),
    waitFromMs: row.startMs - row.waitBeforeMs.max,
    startMs: row.startMs,
    endMs: row.startMs + (row.timeoutMs ?? 0),
    clipped: row.clippedToMs !== undefined,
    reachable: row.reachable,
  };
}
