/**
 * What is asked of the platform's own timers and clocks. They are looked up at each call, so that a
 * test's fake timers work.
 *
 * @module
 */

import type { Clock, SignalLike } from "../types.js";

/** The parts of the platform that not every platform has. */
interface Platform {
  performance?: { now(): number };
  setImmediate?: (done: () => void) => unknown;
  MessageChannel?: new () => { port1: Port; port2: Port };
}

interface Port {
  onmessage: (() => void) | null;
  postMessage(message: unknown): void;
  close(): void;
}

const platform = globalThis as unknown as Platform;

/** A reading in ms of a clock that does not run backward, where the platform has one. */
export function monotonicNow(): number {
  return platform.performance?.now() ?? Date.now();
}

/** Lets the event loop go round once; no timer, which would take a millisecond or more. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    if (platform.setImmediate !== undefined) platform.setImmediate(resolve);
    else if (platform.MessageChannel !== undefined) viaChannel(platform.MessageChannel, resolve);
    else setTimeout(resolve, 0);
  });
}

function viaChannel(Channel: NonNullable<Platform["MessageChannel"]>, resolve: () => void): void {
  const { port1, port2 } = new Channel();
  port1.onmessage = () => {
    // An open channel keeps some hosts from ending.
    port1.close();
    resolve();
  };
  port2.postMessage(undefined);
}

/** The platform's own time, with timers that let a Node process end. */
export const patientTimers: Clock = {
  now: monotonicNow,
  sleep: (ms: number, signal: SignalLike) =>
    new Promise((resolve) => {
      const timer: unknown = setTimeout(done, Math.ceil(ms));
      (timer as { unref?: () => void }).unref?.();
      function done(): void {
        signal.removeEventListener("abort", done);
        clearTimeout(timer as Parameters<typeof clearTimeout>[0]);
        resolve();
      }
      signal.addEventListener("abort", done);
    }),
};
