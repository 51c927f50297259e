/**
 * The driver's view of JavaScript (`src/wasm/driver.rs`): clock, handler, the caller's signal and
 * hooks. Nothing in here throws into the driver, whatever the caller's own code does.
 *
 * @module
 */

import type { Border, RawResult } from "../border.js";
import { StepRetryError } from "../errors.js";
import { given, write } from "../given.js";
import type { AttemptContext, LateResult, RunEvent, StepErrorLike, StepRecord } from "../types.js";
import { Attempt, type AttemptLimits, ENDED } from "./attempt.js";
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
  /** What the run comes to. */
  readonly result: Promise<RawResult>;
  /** Tells what it has come to, a misuse where it is not `ok`. */
  settle!: (ok: boolean, result: unknown) => void;

  readonly #handler: (context: AttemptContext) => T | PromiseLike<T>;
  readonly #clock: HostOptions<T>["clock"];
  readonly #origin: number;
  readonly #step: string;
  readonly #run: number;
  /** The attempt that runs, or has run last. */
  #current: Attempt<T> | undefined;
  /** What the last attempt threw, where it counted as failed. */
  #lastThrown: { value: unknown } | undefined;
  #gaveUp: { reason: unknown } | undefined;
  #reading = 0;
  #wake: (() => void) | undefined;
  #sleeper: AbortController | undefined;

  #border: Border | undefined;

  constructor(handler: (context: AttemptContext) => T | PromiseLike<T>, options: HostOptions<T>) {
    this.#handler = handler;
    this.options = options;
    this.#step = options.name ?? "step";
    this.#run = ++runs;
    this.#clock = options.clock ?? (options.unref === true ? patientTimers : undefined);
    this.#origin = this.#read() ?? 0;
    this.result = new Promise((resolve, reject) => {
      this.settle = (ok, result) => (ok ? resolve(result as RawResult) : reject(result));
    });
  }

  // ---- For the caller's side ----

  /** Listens to the caller's signal; the run is on the instance behind `border`. */
  listen(border: Border): void {
    this.#border = border;
    this.options.signal?.addEventListener("abort", this.#cancel);
  }

  /** Listens no more. */
  stopListening(): void {
    quietly(() => this.options.signal?.removeEventListener("abort", this.#cancel));
  }

  /** There is no driver any more: nothing is waited for, and the handler's signal fires with `fault`. */
  collapse(fault: StepRetryError): StepRetryError {
    this.#giveUp(fault);
    this.rest();
    return fault;
  }

  /** The caller's own values, which never went through the machine. */
  whatCame(outcome: StepRecord["outcome"]): { value?: T; cause?: unknown } {
    if (outcome === "succeeded") {
      quietly(() => this.options.retryBudget?.succeeded(this.#origin + this.now()));
      return { value: this.#current?.value as T };
    }
    if (outcome === "aborted" && this.#gaveUp !== undefined) return { cause: this.#gaveUp.reason };
    return this.#lastThrown === undefined ? {} : { cause: this.#lastThrown.value };
  }

  /** What `throwOnFailure` rejects with: the signal's own reason, where the caller has given up. */
  rejection(error: StepErrorLike): unknown {
    const reason = error.record.outcome === "aborted" ? this.#gaveUp?.reason : undefined;
    return reason === undefined ? error : reason;
  }

  // ---- For the driver ----

  now(): number {
    const reading = (this.#read() ?? this.#origin) - this.#origin;
    if (reading > this.#reading) this.#reading = Math.min(reading, Number.MAX_VALUE);
    return this.#reading;
  }

  cancelled(): boolean {
    const { signal } = this.options;
    if (signal?.aborted === true) this.#giveUp(signal.reason);
    return this.#gaveUp !== undefined;
  }

  attempt(limits: AttemptLimits): Promise<number> {
    const current = new Attempt<T>(limits, (late) => this.#late(late));
    this.#current = current;
    this.#lastThrown = undefined;
    // The listener that was told of this attempt may have given up.
    if (this.cancelled()) current.stop(this.#gaveUp?.reason);
    else current.start(this.#handler);
    return current.ended;
  }

  stop(limitMs: number): void {
    const reason = new Error(`Step '${this.#step}' timed out after ${limitMs}ms`);
    reason.name = "TimeoutError";
    this.#lastThrown = undefined;
    this.#current?.overrule(reason);
  }

  account(ending: number): number {
    return write(this.#border as Border, given(this.#current?.cost), given(this.#told(ending)));
  }

  permit(): boolean {
    return quietly(() => this.options.retryBudget?.take(this.#origin + this.now())) !== false;
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
    const sleeper = new AbortController();
    const { signal } = sleeper;
    this.#sleeper = sleeper;
    return new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
      const failed = (cause: unknown) => {
        if (!signal.aborted) this.#blame(`clock.sleep() failed: ${words(cause)}`, cause);
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
    event.run = this.#run;
    quietly(() => this.options.onEvent?.(event));
  }

  // ---- Between the two ----

  /** What is told of an ending beside its cost. */
  #told(ending: number): unknown {
    const current = this.#current;
    const gaveUp = this.#gaveUp;
    const { options } = this;
    switch (ending) {
      case ENDED.worked:
        return options.hash === true ? outputJson(current?.value) : undefined;
      case ENDED.failed:
        this.#lastThrown = { value: current?.thrown };
        return classified(current?.thrown, options.classify);
      case ENDED.timedOut:
        return undefined;
    }
    if (gaveUp === undefined) return current?.skipMessage;
    return gaveUp.reason === undefined ? undefined : words(gaveUp.reason);
  }

  readonly #cancel = (): void => this.#giveUp(this.options.signal?.reason);

  #giveUp(reason: unknown): void {
    if (this.#gaveUp !== undefined) return;
    this.#gaveUp = { reason };
    this.#current?.stop(reason);
    this.#wake?.();
  }

  #read(): number | undefined {
    if (this.#clock === undefined) return monotonicNow();
    try {
      const reading: unknown = this.#clock.now();
      if (typeof reading === "number" && Number.isFinite(reading)) return reading;
      this.#blame("clock.now() must give a finite number of milliseconds");
    } catch (cause) {
      this.#blame(`clock.now() threw: ${words(cause)}`, cause);
    }
    return undefined;
  }

  #late(late: LateResult<T>): void {
    quietly(() => this.options.onLateResult?.(late));
  }

  /** A clock that cannot be used ends the run: without time there is no limit to keep. */
  #blame(message: string, cause?: unknown): void {
    this.fault ??= new StepRetryError("INVALID_ARGUMENT", message, { path: ["options", "clock"], cause });
    this.#giveUp(this.fault);
  }
}
