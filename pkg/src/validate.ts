/**
 * Checking a workflow file.
 *
 * @module
 */

import { StepRetryError } from "./errors.js";
import { givenOptions } from "./given.js";
import { call } from "./instance.js";
import { writeSource } from "./text.js";
import type { Report, ValidateOptions } from "./types.js";

/**
 * Checks a workflow file.
 *
 * @param source The file's text, or its bytes in UTF-8. Positions in the report count UTF-16 units of
 * the text.
 * @throws `StepRetryError` with `NOT_UTF8` for bytes that are no UTF-8, `INVALID_ARGUMENT` for other
 * misuse. Whatever is wrong with the file itself is in the report.
 */
export function validate(source: string | Uint8Array, options?: ValidateOptions): Report {
  if (typeof source !== "string" && !isBytes(source)) {
    throw new StepRetryError("INVALID_ARGUMENT", "'source' must be a string or a Uint8Array", { path: ["source"] });
  }
  const strict = flag(options, "strict");
  const recover = flag(options, "recover");
  return call((border) => {
    const [length, end] = writeSource(border, source, givenOptions(options?.limits));
    return border.validate(length, end, strict, recover);
  });
}

function flag(options: ValidateOptions | undefined, name: "strict" | "recover"): boolean {
  const value: unknown = options?.[name];
  if (value === undefined || typeof value === "boolean") return value === true;
  throw new StepRetryError("INVALID_ARGUMENT", `'${name}' must be true or false`, { path: [name] });
}

// Bytes of another realm (a test's sandbox, a frame) are no instance of this realm's Uint8Array.
function isBytes(value: unknown): value is Uint8Array {
  return Object.prototype.toString.call(value) === "[object Uint8Array]";
}
