/**
 * The driver's view of JavaScript (`src/wasm/driver.rs`): clock, handler, the caller's signal and
 * hooks. Nothing in here throws into the driver, whatever the caller's own code does.
 *
 * @module
 */

import { StepRetryError } from "../errors.js";
import type { AttemptContext, LateResult, RunEvent, RunOptions } from "../types.js";
import { Attempt } from "./attempt.js";
import { classified, words } from "./classify.js";
import { breathe, monotonicNow, patientTimers } from "./timers.js";

/** One run's side of the border. */
export class Host<T> {
  /** The attempt that runs, or has run last. */
  current: Attempt<T> | undefined;
  /** What the last attempt threw, where it counted as failed. */
  lastThrown: { value: unknown } | undefined;
  /** What is wrong with the caller's own clock, where something is. */
  fault: StepRetryError | undefined;

  readonly #handler: (context: AttemptContext) => T | PromiseLike<T>;
  readonly #options: RunOptions<T>;
  readonly #clock: RunOptions["clock"];
  readonly #origin: number;
  readonly #step: string;
  #gaveUp: { reason: unknown } | undefined;
  #reading = 0;
  #wake: (() => void) | undefined;
  #sleeper: AbortController | undefined;

  constructor(handler: (context: AttemptContext) => T | PromiseLike<T>, options: RunOptions<T>) {
    this.#handler = handler;
    this.#options = options;
    this.#step = options.name ?? "step";
    this.#clock = options.clock ?? (options.unref === true ? patientTimers : undefined);
    this.#origin = 0;
    this.#origin = this.now();
    this.#reading = 0;
  }

  /** Ends the run at once. */
  readonly giveUp = (reason: unknown): void => {
    if (this.#gaveUp !== undefined) return;
    this.#gaveUp = { reason };
    this.current?.stop(reason);
    this.#wake?.();
  };

  /** What the caller's signal said, where it has fired. */
  get cancellationReason(): { reason: unknown } | undefined {
    return this.#gaveUp;
  }

  now(): number {
    try {
      const reading = (this.#clock === undefined ? monotonicNow() : this.#clock.now()) - this.#origin;
      if (Number.isFinite(reading)) {
        if (reading > this.#reading) this.#reading = reading;
      } else this.#blame("clock.now() must give a finite number of milliseconds");
    } catch (cause) {
      this.#blame(`clock.now() threw: ${words(cause)}`, cause);
    }
    return this.#reading;
  }

  cancelled(): boolean {
    const { signal } = this.#options;
    if (signal?.aborted === true) this.giveUp(signal.reason);
    return this.#gaveUp !== undefined;
  }

  reason(): string | undefined {
    if (this.#gaveUp === undefined) return this.current?.skipMessage;
    return this.#gaveUp.reason === undefined ? undefined : words(this.#gaveUp.reason);
  }

  attempt(
    attempt: number,
    maxAttempts: number,
    timeoutMs?: number,
    clippedToMs?: number,
    remainingMs?: number,
  ): Promise<number> {
    const current = new Attempt<T>(
      {
        attempt,
        maxAttempts,
        timeoutMs: timeoutMs ?? null,
        ...(clippedToMs !== undefined && { clippedToMs }),
        remainingMs: remainingMs ?? null,
      },
      (late) => this.#late(late),
    );
    this.current = current;
    this.lastThrown = undefined;
    current.start(this.#handler);
    return current.ended;
  }

  stop(limitMs: number): void {
    const reason = new Error(`Step '${this.#step}' timed out after ${limitMs}ms`);
    reason.name = "TimeoutError";
    this.lastThrown = undefined;
    this.current?.stop(reason);
  }

  failure(): unknown {
    const value = this.current?.thrown;
    this.lastThrown = { value };
    return classified(value, this.#options.classify);
  }

  output(): string | undefined {
    if (this.#options.hash !== true) return undefined;
    try {
      return JSON.stringify(this.current?.value) ?? "null";
    } catch {
      // Cyclic, or a big integer: there is no JSON to take a hash of.
      return undefined;
    }
  }

  cost(): number | undefined {
    return this.current?.cost;
  }

  permit(): boolean {
    try {
      return this.#options.retryBudget?.take(this.now()) !== false;
    } catch {
      return true;
    }
  }

  cancellation(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (this.#gaveUp !== undefined) resolve();
    });
  }

  rest(): void {
    this.#wake?.();
    this.#wake = undefined;
    this.#sleeper?.abort();
    this.#sleeper = undefined;
  }

  sleep(ms: number): Promise<void> | undefined {
    const clock = this.#clock;
    if (clock === undefined) return undefined;
    const controller = new AbortController();
    this.#sleeper = controller;
    return new Promise<void>((resolve) => {
      controller.signal.addEventListener("abort", () => resolve(), { once: true });
      const failed = (cause: unknown) => {
        if (!controller.signal.aborted) this.#blame(`clock.sleep() failed: ${words(cause)}`, cause);
        resolve();
      };
      try {
        Promise.resolve(clock.sleep(ms, controller.signal)).then(() => resolve(), failed);
      } catch (cause) {
        failed(cause);
      }
    });
  }

  breathe(): Promise<void> {
    return breathe();
  }

  listening(): boolean {
    return this.#options.onEvent !== undefined;
  }

  emit(event: RunEvent): void {
    try {
      this.#options.onEvent?.(event);
    } catch {
      // A listener never changes what it listens to.
    }
  }

  #late(late: LateResult<T>): void {
    try {
      this.#options.onLateResult?.(late);
    } catch {
      // As above.
    }
  }

  /** A clock that cannot be used ends the run: without time there is no limit to keep. */
  #blame(message: string, cause?: unknown): void {
    this.fault ??= new StepRetryError("INVALID_ARGUMENT", message, { path: ["options", "clock"], cause });
    this.giveUp(this.fault);
  }
}
