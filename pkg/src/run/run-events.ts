/**
 * A run as the sequence of what happens in it.
 *
 * @module
 */

import { isStepRetryError, StepRetryError } from "../errors.js";
import { call } from "../instance.js";
import type { AttemptContext, RunEvent, RunEvents, RunOptions, SignalLike, StepLimits, StepResult } from "../types.js";
import { type HostOptions, hostOptions } from "./options.js";
import { runStep } from "./run-step.js";

/**
 * Runs a step as `runStep` does, while its events are iterated over:
 *
 * ```ts
 * const run = runEvents(step, attempt);
 * for await (const event of run) console.log(event.type, event.attempt);
 * const { value } = await run.result;
 * ```
 *
 * The run begins when the first event or the result is asked for. Leaving the loop early aborts it.
 * Events that happen faster than they are asked for are kept meanwhile; where nobody iterates none are.
 */
export function runEvents<T>(
  step: StepLimits,
  attempt: (context: AttemptContext) => T | PromiseLike<T>,
  options: RunOptions<T> = {},
): RunEvents<T> {
  return new Events(async (tell) => {
    const own = call(() => hostOptions(options));
    return runStep(step, attempt, { ...options, ...tell(own) });
  });
}

/** Makes the options that turn a run into events, out of the caller's own. */
type Tell<T> = (own: HostOptions<T>) => Pick<RunOptions<T>, "onEvent" | "signal">;

class Events<T> implements RunEvents<T> {
  readonly #run: (tell: Tell<T>) => Promise<StepResult<T>>;
  readonly #leave = new AbortController();
  #result: Promise<StepResult<T>> | undefined;
  #kept: RunEvent[] = [];
  #reader: "none" | "reading" | "gone" = "none";
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(run: (tell: Tell<T>) => Promise<StepResult<T>>) {
    this.#run = run;
  }

  get result(): Promise<StepResult<T>> {
    if (this.#result === undefined) {
      this.#result = this.#run((own) => this.#tell(own));
      const end = () => {
        this.#ended = true;
        this.#wake?.();
      };
      // Whoever iterates may never look at the result.
      this.#result.then(end, end);
    }
    return this.#result;
  }

  [Symbol.asyncIterator](): AsyncIterator<RunEvent, undefined> {
    if (this.#reader !== "none")
      throw new StepRetryError("WRONG_STATE", "the events of a run can be iterated over once");
    this.#reader = "reading";
    return { next: () => this.#next(), return: () => this.#return() };
  }

  async #next(): Promise<IteratorResult<RunEvent, undefined>> {
    const result = this.result;
    while (this.#kept.length === 0 && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const event = this.#kept.shift();
    if (event !== undefined) return { done: false, value: event };
    await result.catch((error: unknown) => {
      // How the step failed is for those who look at the result.
      if (isStepRetryError(error)) throw error;
    });
    return { done: true, value: undefined };
  }

  async #return(): Promise<IteratorResult<RunEvent, undefined>> {
    this.#reader = "gone";
    this.#kept = [];
    this.#leave.abort(new StepRetryError("WRONG_STATE", "its events were no longer wanted"));
    return { done: true, value: undefined };
  }

  #tell({ onEvent, signal }: HostOptions<T>): ReturnType<Tell<T>> {
    return {
      signal: signal === undefined ? this.#leave.signal : either(signal, this.#leave.signal),
      onEvent: (event) => {
        if (this.#reader === "reading") {
          this.#kept.push(event);
          this.#wake?.();
        }
        return onEvent?.(event);
      },
    };
  }
}

/** A signal that fires with the first of two. */
function either(first: SignalLike, second: SignalLike): SignalLike {
  const both = [first, second];
  return {
    get aborted() {
      return first.aborted || second.aborted;
    },
    get reason() {
      return (first.aborted ? first : second).reason;
    },
    addEventListener(type, listener) {
      for (const signal of both) signal.addEventListener(type, listener);
    },
    removeEventListener(type, listener) {
      for (const signal of both) signal.removeEventListener(type, listener);
    },
  };
}
