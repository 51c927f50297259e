/**
 * A caller's options, read once: those that the machine reads, and those that are code of theirs.
 *
 * @module
 */

import { StepRetryError } from "../errors.js";
import type { RunOptions, StepRunOptions } from "../types.js";

const MACHINE = [
  "name",
  "taskId",
  "jitter",
  "seed",
  "budget",
  "budgetMs",
  "retryAfter",
  "retryAfterCapMs",
  "hash",
  "recordLimit",
] as const;

/** A plain object of the machine's options. Without a seed, a run gets one of its own. */
export function machineOptions(options: StepRunOptions): StepRunOptions {
  checkObject(options);
  const read: Record<string, unknown> = {};
  for (const key of MACHINE) {
    if (options[key] !== undefined) read[key] = options[key];
  }
  if (read.seed === undefined) read.seed = Math.random();
  return read;
}

/** What a host has to know of a run's options. */
export type HostOptions<T> = Pick<
  RunOptions<T>,
  | "name"
  | "signal"
  | "clock"
  | "classify"
  | "retryBudget"
  | "hash"
  | "onEvent"
  | "onLateResult"
  | "throwOnFailure"
  | "unref"
>;

/** The functions that an object must have. */
const METHODS = {
  signal: ["addEventListener", "removeEventListener"],
  clock: ["now", "sleep"],
  retryBudget: ["take", "succeeded"],
} as const;
const FUNCTIONS = ["classify", "onEvent", "onLateResult"] as const;
const FLAGS = ["throwOnFailure", "unref"] as const;

/**
 * The host's options, each of them something that can be used.
 *
 * @throws `StepRetryError` with `INVALID_ARGUMENT` and the path of the first that is not.
 */
export function hostOptions<T>(options: RunOptions<T>): HostOptions<T> {
  checkObject(options);
  const { name, hash } = options;
  const read: Record<string, unknown> = { name, hash };
  for (const [key, methods] of Object.entries(METHODS)) {
    const value: unknown = options[key as keyof typeof METHODS];
    if (value !== undefined && !hasMethods(value, methods)) {
      throw refusal([key], `must be an object with the functions ${methods.join(" and ")}`);
    }
    read[key] = value;
  }
  for (const key of FUNCTIONS) read[key] = ofType(options[key], "function", key, "must be a function");
  for (const key of FLAGS) read[key] = ofType(options[key], "boolean", key, "must be true or false");
  return read;
}

function checkObject(options: unknown): void {
  if (typeof options !== "object" || options === null) throw refusal([], "must be an object");
}

function ofType(value: unknown, type: "function" | "boolean", key: string, demand: string): unknown {
  if (value === undefined || typeof value === type) return value;
  throw refusal([key], demand);
}

function hasMethods(value: unknown, methods: readonly string[]): boolean {
  if (typeof value !== "object" || value === null) return false;
  return methods.every((method) => typeof (value as Record<string, unknown>)[method] === "function");
}

function refusal(keys: string[], demand: string): StepRetryError {
  const path = ["options", ...keys];
  return new StepRetryError("INVALID_ARGUMENT", `'${path.join(".")}' ${demand}`, { path });
}
