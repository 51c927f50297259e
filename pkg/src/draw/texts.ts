/**
 * Words that stand in pictures and times.
 *
 * @module
 */

/** What is said of an attempt that never starts. */
export const NOT_REACHED = "not reached";

/** A time that nobody has a use for in numbers. */
export const FOREVER = "over a million years";
