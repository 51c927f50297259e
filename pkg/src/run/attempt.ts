/**
 * One attempt: the handler's call, its context and its signal. It ends once, with the first thing
 * that happens; whatever the handler still does after that is late.
 *
 * @module
 */

import { StepRetryError } from "../errors.js";
import type { AttemptContext, AttemptSignal, LateResult } from "../types.js";
import { words } from "./classify.js";

/** What becomes of an attempt, in the numbers that the core knows (`src/wasm/report.rs`). */
export const ENDED = { worked: 0, failed: 1, skipped: 2, stopped: 3, timedOut: 4, lost: 5 } as const;

/** The limits of one attempt as its context tells them. */
export type AttemptLimits = Pick<
  AttemptContext,
  "attempt" | "maxAttempts" | "timeoutMs" | "remainingMs" | "clippedToMs"
>;

/** What becomes of an attempt's end. */
type End = (typeof ENDED)[keyof typeof ENDED];

/** One call of the handler. */
export class Attempt<T> {
  /** What it gave, where it worked. */
  value?: T;
  /** What it threw, where it failed. */
  thrown: unknown;
  /** Why the handler ended the step, where it did. */
  skipMessage: string | undefined;
  /** What it reported as its cost. */
  cost: number | undefined;
  /** Resolves once, with how it ended. */
  readonly ended: Promise<End>;

  #end: End | undefined;
  #resolve!: (end: End) => void;
  #controller: AbortController | undefined;
  #signalled: { reason: unknown } | undefined;
  readonly #limits: AttemptLimits;
  readonly #late: (late: LateResult<T>) => void;

  constructor(limits: AttemptLimits, late: (late: LateResult<T>) => void) {
    this.#limits = limits;
    this.#late = late;
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Calls the handler. What it does wrong, at once or later, never leaves here. */
  start(handler: (context: AttemptContext) => T | PromiseLike<T>): void {
    try {
      Promise.resolve(handler(this.#context())).then(
        (value) => this.#settle({ ok: true, value }),
        (error: unknown) => this.#settle({ ok: false, error }),
      );
    } catch (error) {
      this.#settle({ ok: false, error });
    }
  }

  /** Ends it from outside, where it has not ended by itself. Its signal fires with `reason`. */
  stop(reason: unknown): void {
    if (this.#end !== undefined) return;
    this.#finish(ENDED.stopped);
    this.#fire(reason);
  }

  /** Its end came at or after its limit: what it gave is late. Its signal fires with `reason`. */
  overrule(reason: unknown): void {
    if (this.#end === undefined) {
      this.stop(reason);
      return;
    }
    this.#fire(reason);
    const { attempt } = this.#limits;
    if (this.#end === ENDED.worked) this.#late({ attempt, ok: true, value: this.value as T });
    if (this.#end === ENDED.failed) this.#late({ attempt, ok: false, error: this.thrown });
  }

  #fire(reason: unknown): void {
    this.#signalled = { reason };
    this.#controller?.abort(reason);
  }

  #settle(result: { ok: true; value: T } | { ok: false; error: unknown }): void {
    if (this.#end !== undefined) {
      if (result.ok || !(result.error instanceof Skipped)) this.#late({ attempt: this.#limits.attempt, ...result });
    } else if (result.ok) {
      this.value = result.value;
      this.#finish(ENDED.worked);
    } else {
      this.thrown = result.error;
      this.#finish(ENDED.failed);
    }
  }

  #finish(end: End): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#resolve(end);
  }

  #context(): AttemptContext {
    // Arrow functions and a captured `this`: handlers take the context apart.
    const self = this;
    const { attempt, maxAttempts, timeoutMs, clippedToMs, remainingMs } = this.#limits;
    const context = {
      attempt,
      maxAttempts,
      timeoutMs,
      remainingMs,
      // A controller is made for those who ask for the signal.
      get signal(): AttemptSignal {
        return self.#signal();
      },
      reportCost: (cost: number) => self.#reportCost(cost),
      abort: (message: string) => self.#skip(message),
    };
    return clippedToMs === undefined ? context : Object.assign(context, { clippedToMs });
  }

  #signal(): AttemptSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#signalled !== undefined) this.#controller.abort(this.#signalled.reason);
    }
    return this.#controller.signal;
  }

  #reportCost(cost: number): void {
    checkCost(cost);
    if (this.#end === undefined) this.cost = Math.min((this.cost ?? 0) + cost, Number.MAX_VALUE);
  }

  #skip(message: string): never {
    if (this.#end === undefined) {
      this.skipMessage = words(message);
      this.#finish(ENDED.skipped);
    }
    throw new Skipped(words(message));
  }
}

/** @throws `StepRetryError` with `INVALID_ARGUMENT` for what no sum of costs can hold. */
export function checkCost(cost: number): void {
  if (typeof cost === "number" && Number.isFinite(cost) && cost >= 0) return;
  throw new StepRetryError("INVALID_ARGUMENT", "'cost' must be a finite number, 0 or more", { path: ["cost"] });
}

/** What `context.abort` throws, so that the handler goes no further. */
class Skipped extends Error {
  override readonly name = "StepAborted";
}
