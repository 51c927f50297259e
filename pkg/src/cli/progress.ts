/**
 * A run told as it happens.
 *
 * @module
 */

import { duration } from "../draw/duration.js";
import type { RunEvent } from "../types.js";
import type { Line, Terminal } from "./terminal.js";

/** Tells of `event` on stderr. */
export function printEvent(terminal: Terminal, event: RunEvent): void {
  const words = tell(event);
  if (words !== null)
    terminal.err([{ text: `attempt ${event.attempt}/${event.maxAttempts}  `, style: "dim" }, ...words]);
}

/** What happened, or `null` for an end that the result itself tells of. */
function tell(event: RunEvent): Exclude<Line, string> | null {
  switch (event.type) {
    case "attempt":
      return [`started, ${limit(event.timeoutMs, event.clippedToMs)}`];
    case "failed":
      return [
        { text: `failed after ${duration(event.durationMs)}`, style: "red" },
        `  ${event.error.code}: ${event.error.message}`,
      ];
    case "waiting":
      return [`waiting ${duration(event.ms)}${event.retryAfterMs === undefined ? "" : ", as the server asked"}`];
    case "succeeded":
      return [{ text: `succeeded after ${duration(event.durationMs)}`, style: "green" }];
    case "gaveUp":
    case "aborted":
      return null;
  }
}

function limit(timeoutMs: number | null, clippedToMs: number | undefined): string {
  if (clippedToMs !== undefined) return `limit clipped to ${duration(clippedToMs)}`;
  return timeoutMs === null ? "no limit" : `limit ${duration(timeoutMs)}`;
}
