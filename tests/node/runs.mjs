// What tests of runs have in common.

import { setTimeout as delay } from "node:timers/promises";

export { delay };

/** An error that says it may be tried again. */
export function retryable(message = "not yet", fields = {}) {
  return Object.assign(new Error(message), { retryable: true, ...fields });
}

/** A handler that throws `thrown`. */
export const throwing = (thrown) => () => {
  throw thrown;
};

/** A handler that fails and may be tried again. */
export function busy() {
  throw retryable();
}

/** A handler that is {@link busy} before attempt `last`, which gives `value`. */
export const busyUntil = (last, value) => (context) => (context.attempt < last ? busy() : value);

/** A promise that nothing settles. */
export function never() {
  return new Promise(() => {});
}

/** A signal that counts who listens. */
export class CountedSignal {
  aborted = false;
  reason = undefined;
  listeners = new Set();
  most = 0;

  addEventListener(_type, listener) {
    this.listeners.add(listener);
    this.most = Math.max(this.most, this.listeners.size);
  }

  removeEventListener(_type, listener) {
    this.listeners.delete(listener);
  }

  abort(reason) {
    this.aborted = true;
    this.reason = reason;
    for (const listener of [...this.listeners]) listener();
  }
}

/** The timers that this process waits for. */
export function timers() {
  return process.getActiveResourcesInfo().filter((kind) => kind === "Timeout" || kind === "Immediate");
}

/** What goes wrong outside of any promise while `work` goes on, and a little after. */
export async function strays(work) {
  const found = [];
  const note = (error) => found.push(error);
  process.on("unhandledRejection", note);
  process.on("uncaughtException", note);
  await work();
  await delay(20);
  process.off("unhandledRejection", note);
  process.off("uncaughtException", note);
  return found;
}

/** The statuses of a record's attempts. */
export function statuses({ record }) {
  return record.attempts.map(({ status }) => status);
}
