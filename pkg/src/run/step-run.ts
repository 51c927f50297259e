/**
 * The machine itself, for a loop of one's own or a durable engine.
 *
 * @module
 */

import { stepResult } from "../result.js";
import type { Decision, Failure, PlatformDisposable, Snapshot, StepLimits, StepRunOptions } from "../types.js";
import { checkCost, ENDED } from "./attempt.js";
import { words } from "./classify.js";
import { LastingMachine } from "./lasting-machine.js";
import { machineOptions } from "./options.js";
import { outputJson } from "./output.js";

/**
 * One step's attempts as a state machine: it says what to do, the caller does it and says what
 * happened. It performs nothing and reads no clock.
 *
 * Readings (`nowMs`) are milliseconds of any clock that does not run backward, 0 or more; one that
 * does is taken as the latest seen. A run that is restored in another process needs a clock that both
 * share: the wall clock.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: where the platform lacks the method, so does the type
export class StepRun<T = unknown> {
  readonly #machine: LastingMachine;
  readonly #hash: boolean;
  #output: { value: T } | undefined;

  /** @throws `StepRetryError` for limits or options that cannot be used. */
  constructor(step: StepLimits, options: StepRunOptions = {}) {
    if (step instanceof Restored) {
      this.#machine = step.machine;
      this.#hash = step.hash;
    } else {
      const read = machineOptions(options);
      this.#machine = LastingMachine.begin(step, read);
      this.#hash = options.hash === true;
    }
  }

  /**
   * Takes a run up where {@link StepRun.snapshot} left it.
   *
   * @throws `StepRetryError` with `SNAPSHOT_VERSION` for an unknown version, `SNAPSHOT_INVALID` with
   * the path of the first field that no run could have written.
   */
  static restore<T = unknown>(snapshot: Snapshot): StepRun<T> {
    const machine = LastingMachine.restore(snapshot);
    const { hash } = snapshot.options as { hash: boolean };
    return new StepRun<T>(new Restored(machine, hash) as StepLimits);
  }

  /** What to do at `nowMs`. Asked again, it says the same. */
  next(nowMs: number): Decision<T> {
    const decision = this.#machine.next(nowMs);
    if (decision.do !== "done") return decision;
    return { do: "done", result: stepResult<T>(decision.result, this.#output ?? {}) };
  }

  /** The attempt that `next` offered begins. With attempt 1 the total limit begins. */
  begin(nowMs: number): void {
    this.#machine.begin(nowMs);
  }

  /** Adds `cost` to the running attempt's cost; 0 or more, in a unit of your own. */
  reportCost(cost: number): void {
    checkCost(cost);
    this.#machine.reportCost(cost);
  }

  /** The running attempt worked. `false`: it came at or after its limit, and counts as timed out. */
  succeed(nowMs: number, output?: T): boolean {
    const json = this.#hash ? outputJson(output) : undefined;
    const counted = this.#machine.report(ENDED.worked, nowMs, json);
    if (counted) this.#output = { value: output as T };
    return counted;
  }

  /** The running attempt failed. `false`: it came at or after its limit, and counts as timed out. */
  fail(nowMs: number, failure: Failure): boolean {
    return this.#machine.report(ENDED.failed, nowMs, failure);
  }

  /** The running attempt was stopped at its limit. */
  timeout(nowMs: number): void {
    this.#machine.report(ENDED.timedOut, nowMs);
  }

  /** The running attempt will never be reported: its process died. Tried again only where the step is idempotent. */
  lost(nowMs: number): void {
    this.#machine.report(ENDED.lost, nowMs);
  }

  /** Ends the run. */
  abort(nowMs: number, reason?: string): void {
    this.#machine.report(ENDED.stopped, nowMs, reason === undefined ? undefined : words(reason));
  }

  /** The run as plain JSON. What a successful attempt gave is not in it. */
  snapshot(): Snapshot {
    return this.#machine.snapshot();
  }

  /**
   * Lets the run's memory go at once, not when the host next collects garbage: for a process that makes very
   * many of them. After it each call throws `WRONG_STATE`, but for `free` itself, which then does nothing.
   * Where the platform has `Symbol.dispose`, `using run = new StepRun(…)` calls it.
   */
  free(): void {
    this.#machine.free();
  }
}

// A body cannot say that a method is there on some platforms only; and for a static block esbuild would
// write all private members in the long form of old browsers.
const { dispose } = Symbol as { dispose?: symbol };
if (dispose !== undefined) Object.defineProperty(StepRun.prototype, dispose, { value: StepRun.prototype.free });

// biome-ignore lint/correctness/noUnusedVariables: both declarations must have the same parameters
export interface StepRun<T> extends PlatformDisposable {}

/** A machine that has been taken up again, on its way into the constructor. */
class Restored {
  constructor(
    readonly machine: LastingMachine,
    readonly hash: boolean,
  ) {}
}
