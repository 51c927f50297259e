/**
 * Reading a command line.
 *
 * @module
 */

import { type ParseArgsConfig, parseArgs } from "node:util";
import { WrongUsage } from "./exit.js";

/** What a command's options look like. */
export type Options = NonNullable<ParseArgsConfig["options"]>;

/**
 * Splits `args` into options and positionals.
 *
 * @throws {WrongUsage} for an option that does not exist or lacks its value.
 */
export function readArguments<T extends Options>(args: string[], options: T) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    // The platform's own sentence, without the advice about `--` that follows its first sentence.
    throw new WrongUsage(error instanceof Error ? (error.message.split(/\.\s/)[0] ?? "") : String(error));
  }
}

/**
 * The whole number from 1 that `option` was given.
 *
 * @throws {WrongUsage} for anything else.
 */
export function wholeNumber(option: string, text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < 1 || !Number.isSafeInteger(value)) {
    throw new WrongUsage(`${option} takes a whole number from 1, not '${text}'`);
  }
  return value;
}
