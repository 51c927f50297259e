/**
 * What is said about a key.
 *
 * @module
 */

import { duration } from "../draw/duration.js";
import { fate, type Key, type Kind } from "./keys.js";

const UNITS = { ms: "milliseconds", s: "seconds" };

/** The names of the menus. */
export const MENUS = { problems: "Problems", steps: "Steps", fixes: "Quick fixes" } as const;

/** What a key's value has to be, its unit, and what holds without it: `Must be a positive integer. In seconds. Default 3600 (1 h).` */
export function ruleOf(key: Key): string {
  const sentences: string[] = [];
  if (key.demand !== undefined) sentences.push(`${capital(key.demand)}.`);
  if (key.unit !== undefined) sentences.push(`In ${UNITS[key.unit]}.`);
  if (key.default !== undefined) sentences.push(`Default ${key.default}${spelled(key, key.default)}.`);
  return sentences.join(" ");
}

/** What becomes of `key` on a step of `kind`; empty where it does its work. */
export function fateOf(key: Key, kind: Kind | undefined): string {
  const of = fate(key, kind);
  if (of === "read") return "";
  if (of === "unread") return `Nothing reads it on ${kind} steps.`;
  return `Refused on ${kind} steps: ${key.why ?? ""}`;
}

/** The value of a time in words, as in `1 min 30 s`; `undefined` where it is none. */
export function spelledValue({ unit }: Key, value: string): string | undefined {
  const number = Number(value);
  if (unit === undefined || value.trim() === "" || !Number.isFinite(number) || number < 0) return undefined;
  return duration(unit === "s" ? number * 1000 : number);
}

function spelled(key: Key, value: string): string {
  const words = spelledValue(key, value);
  return words === undefined || words === `${value} ${key.unit}` ? "" : ` (${words})`;
}

/** `text` as it begins a sentence. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
