/**
 * How the command ends.
 *
 * @module
 */

/** Exit codes: done as asked; refused or failed; asked in a way the command does not understand. */
export const EXIT = { ok: 0, failed: 1, usage: 2, interrupted: 130 } as const;

/** Ends the command with one line on stderr and {@link EXIT.failed}. */
export class Refusal extends Error {}

/** Ends the command with one line and a pointer to `--help` on stderr, and {@link EXIT.usage}. */
export class WrongUsage extends Error {}
