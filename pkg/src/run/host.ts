/**
 * The driver's view of JavaScript (`src/wasm/driver.rs`): clock, handler, the caller's signal and
 * hooks. Nothing in here throws into the driver, whatever the caller's own code does.
 *
 * @module
 */

import { StepRetryError } from "../errors.js";
import type { AttemptContext, LateResult, RunEvent, StepErrorLike, StepRecord } from "../types.js";
import { Attempt } from "./attempt.js";
import { classified, words } from "./classify.js";
import type { HostOptions } from "./options.js";
import { outputJson } from "./output.js";
import { quietly } from "./quietly.js";
import { breathe, monotonicNow, patientTimers } from "./timers.js";

/** How many runs there have been; each tells its events under its own number. */
let runs = 0;

/** One run's side of the border. */
export class Host<T> {
  /** What is wrong with the caller's own clock, where something is. */
  fault: StepRetryError | undefined;
  readonly options: HostOptions<T>;

  private readonly handler: (context: AttemptContext) => T | PromiseLike<T>;
  private readonly clock: HostOptions<T>["clock"];
  private readonly origin: number;
  private readonly step: string;
  private readonly run: number;
  /** The attempt that runs, or has run last. */
  private current: Attempt<T> | undefined;
  /** What the last attempt threw, where it counted as failed. */
  private lastThrown: { value: unknown } | undefined;
  private gaveUp: { reason: unknown } | undefined;
  private reading = 0;
  private wake: (() => void) | undefined;
  private sleeper: AbortController | undefined;

  constructor(handler: (context: AttemptContext) => T | PromiseLike<T>, options: HostOptions<T>) {
    this.handler = handler;
    this.options = options;
    this.step = options.name ?? "step";
    this.run = ++runs;
    this.clock = options.clock ?? (options.unref === true ? patientTimers : undefined);
    this.origin = this.read() ?? 0;
  }

  // ---- For the caller's side ----

  /** Listens to the caller's signal. */
  listen(): void {
    this.options.signal?.addEventListener("abort", this.cancel);
  }

  /** Listens no more. */
  stopListening(): void {
    quietly(() => this.options.signal?.removeEventListener("abort", this.cancel));
  }

  /** There is no driver any more: nothing is waited for, and the handler's signal fires with `fault`. */
  collapse(fault: StepRetryError): StepRetryError {
    this.giveUp(fault);
    this.rest();
    return fault;
  }

  /** The caller's own values, which never went through the machine. */
  whatCame(outcome: StepRecord["outcome"]): { value?: T; cause?: unknown } {
    if (outcome === "succeeded") {
      quietly(() => this.options.retryBudget?.succeeded(this.origin + this.now()));
      return { value: this.current?.value as T };
    }
    if (outcome === "aborted" && this.gaveUp !== undefined) return { cause: this.gaveUp.reason };
    return this.lastThrown === undefined ? {} : { cause: this.lastThrown.value };
  }

  /** What `throwOnFailure` rejects with: the signal's own reason, where the caller has given up. */
  rejection(error: StepErrorLike): unknown {
    const reason = error.record.outcome === "aborted" ? this.gaveUp?.reason : undefined;
    return reason === undefined ? error : reason;
  }

  // ---- For the driver ----

  now(): number {
    const reading = (this.read() ?? this.origin) - this.origin;
    if (reading > this.reading) this.reading = Math.min(reading, Number.MAX_VALUE);
    return this.reading;
  }

  cancelled(): boolean {
    const { signal } = this.options;
    if (signal?.aborted === true) this.giveUp(signal.reason);
    return this.gaveUp !== undefined;
  }

  reason(): string | undefined {
    if (this.gaveUp === undefined) return this.current?.skipMessage;
    return this.gaveUp.reason === undefined ? undefined : words(this.gaveUp.reason);
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
        clippedToMs,
        remainingMs: remainingMs ?? null,
      },
      (late) => this.late(late),
    );
    this.current = current;
    this.lastThrown = undefined;
    // The listener that was told of this attempt may have given up.
    if (this.cancelled()) current.stop(this.gaveUp?.reason);
    else current.start(this.handler);
    return current.ended;
  }

  stop(limitMs: number): void {
    const reason = new Error(`Step '${this.step}' timed out after ${limitMs}ms`);
    reason.name = "TimeoutError";
    this.lastThrown = undefined;
    this.current?.overrule(reason);
  }

  failure(): unknown {
    const value = this.current?.thrown;
    this.lastThrown = { value };
    return classified(value, this.options.classify);
  }

  output(): string | undefined {
    return this.options.hash === true ? outputJson(this.current?.value) : undefined;
  }

  cost(): number | undefined {
    return this.current?.cost;
  }

  permit(): boolean {
    return quietly(() => this.options.retryBudget?.take(this.origin + this.now())) !== false;
  }

  cancellation(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
      if (this.gaveUp !== undefined) resolve();
    });
  }

  rest(): void {
    this.wake?.();
    this.wake = undefined;
    this.sleeper?.abort();
    this.sleeper = undefined;
  }

  sleep(ms: number): Promise<void> | undefined {
    const clock = this.clock;
    if (clock === undefined) return undefined;
    const sleeper = new AbortController();
    const { signal } = sleeper;
    this.sleeper = sleeper;
    return new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
      const failed = (cause: unknown) => {
        if (!signal.aborted) this.blame(`clock.sleep() failed: ${words(cause)}`, cause);
        resolve();
      };
      try {
        Promise.resolve(clock.sleep(ms, signal)).then(() => resolve(), failed);
      } catch (cause) {
        failed(cause);
      }
    });
  }

  breathe(): Promise<void> {
    return breathe();
  }

  listening(): boolean {
    return this.options.onEvent !== undefined;
  }

  emit(event: RunEvent): void {
    event.run = this.run;
    quietly(() => this.options.onEvent?.(event));
  }

  // ---- Between the two ----

  private readonly cancel = (): void => this.giveUp(this.options.signal?.reason);

  private giveUp(reason: unknown): void {
    if (this.gaveUp !== undefined) return;
    this.gaveUp = { reason };
    this.current?.stop(reason);
    this.wake?.();
  }

  private read(): number | undefined {
    if (this.clock === undefined) return monotonicNow();
    try {
      const reading: unknown = this.clock.now();
      if (typeof reading === "number" && Number.isFinite(reading)) return reading;
      this.blame("clock.now() must give a finite number of milliseconds");
    } catch (cause) {
      this.blame(`clock.now() threw: ${words(cause)}`, cause);
    }
    return undefined;
  }

  private late(late: LateResult<T>): void {
    quietly(() => this.options.onLateResult?.(late));
  }

  /** A clock that cannot be used ends the run: without time there is no limit to keep. */
  private blame(message: string, cause?: unknown): void {
    this.fault ??= new StepRetryError("INVALID_ARGUMENT", message, { path: ["options", "clock"], cause });
    this.giveUp(this.fault);
  }
}
