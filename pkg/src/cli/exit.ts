/**
 * How the command ends.
 *
 * @module
 */

import { constants } from "node:os";

/**
 * Exit codes: done as asked; refused or failed; asked in a way the command does not understand; and,
 * as `timeout` of the GNU tools has it, a program that was stopped at its limit.
 */
export const EXIT = { ok: 0, failed: 1, usage: 2, timedOut: 124 } as const;

/** What shells add to a signal's number. */
const SIGNAL_BASE = 128;

/** The exit code of a process that `signal` ended. */
export function signalExitCode(signal: NodeJS.Signals): number {
  return SIGNAL_BASE + constants.signals[signal];
}

/** Ends the command with one line on stderr and {@link EXIT.failed}. */
export class Refusal extends Error {}

/** Ends the command with one line and a pointer to `--help` on stderr, and {@link EXIT.usage}. */
export class WrongUsage extends Error {}
