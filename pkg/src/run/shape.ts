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

function is(demand: string, test: (value: unknown) => boolean): Check {
  return (value, path) => (test(value) ? undefined : { path, demand });
}

/** A string. */
export const text = is("a string", (value) => typeof value === "string");
/** A number that JSON can hold and no span of time is below. */
export const span = is(
  "a number, 0 or more",
  (value) => typeof value === "number" && Number.isFinite(value) && value >= 0,
);
/** A whole number. */
export const count = is("a whole number, 0 or more", (value) => Number.isInteger(value) && (value as number) >= 0);

/** Exactly one of some values. */
export function oneOf(...values: (string | boolean)[]): Check {
  return is(`one of ${values.join(", ")}`, (value) => (values as unknown[]).includes(value));
}

/** What passes one of some checks. */
export function either(demand: string, ...checks: Check[]): Check {
  return is(demand, (value) => checks.some((check) => check(value, []) === undefined));
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
