/**
 * Shapes of JSON values as data, and values held to them.
 *
 * @module
 */

import { StepRetryError } from "../errors.js";
import { words } from "./classify.js";

/** Where a value stands. */
type Path = (string | number)[];

/** What is wrong with a value and where; nothing where it is right. */
export type Check = (value: unknown, path: Path) => { path: Path; demand: string } | undefined;

/** A string. */
export const text: Check = (value, path) => held(typeof value === "string", "a string", path);
/** `true` or `false`. */
export const flag: Check = (value, path) => held(typeof value === "boolean", "true or false", path);
/** A finite number that is not below 0. */
export const span: Check = (value, path) =>
  held(Number.isFinite(value) && (value as number) >= 0, "a number, 0 or more", path);
/** A whole number that is not below 0. */
export const count: Check = (value, path) =>
  held(Number.isInteger(value) && (value as number) >= 0, "a whole number, 0 or more", path);

/** Exactly one of some words. */
export function oneOf(...words: string[]): Check {
  return (value, path) => held(words.includes(value as string), `one of ${words.join(", ")}`, path);
}

/** What passes one of some checks. */
export function either(demand: string, ...checks: Check[]): Check {
  return (value, path) =>
    held(
      checks.some((check) => check(value, path) === undefined),
      demand,
      path,
    );
}

/** Nothing, or what passes. */
export function optional(check: Check): Check {
  return (value, path) => (value === undefined ? undefined : check(value, path));
}

/** `null`, or what passes. */
export function nullable(check: Check): Check {
  return (value, path) => (value === null ? undefined : check(value, path));
}

/** An array of what passes. */
export function list(check: Check): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return { path, demand: "an array" };
    return firstOf(value.entries(), (item, index) => check(item, [...path, index]));
  };
}

/** An object whose fields pass; it may have others. */
export function object(fields: Record<string, Check>): Check {
  return (value, path) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return { path, demand: "an object" };
    return firstOf(Object.entries(fields), (check, key) =>
      check((value as Record<string, unknown>)[key], [...path, key]),
    );
  };
}

function held(holds: boolean, demand: string, path: Path): ReturnType<Check> {
  return holds ? undefined : { path, demand };
}

function firstOf<K, V>(entries: Iterable<[K, V]>, look: (value: V, key: K) => ReturnType<Check>): ReturnType<Check> {
  for (const [key, value] of entries) {
    const found = look(value, key);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The value of a JSON text, or one that is parsed already, where it passes.
 *
 * @throws `StepRetryError` with `INVALID_ARGUMENT` and the path of what does not.
 */
export function fromJson(json: unknown, check: Check): unknown {
  const value = typeof json === "string" ? parsed(json) : json;
  const wrong = check(value, []);
  if (wrong === undefined) return value;
  const { path, demand } = wrong;
  const place = path.reduce<string>(
    (text, key) => text + (typeof key === "number" ? `[${key}]` : `${text && "."}${key}`),
    "",
  );
  throw new StepRetryError("INVALID_ARGUMENT", `'${place || "json"}' must be ${demand}`, { path });
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new StepRetryError("INVALID_ARGUMENT", `'json' is no JSON (${words(cause)})`, { path: [], cause });
  }
}
