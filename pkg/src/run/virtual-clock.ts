/**
 * Time that passes only when it is told to, so that tests of runs wait for nothing. It patches nothing:
 * it is handed to a run as its clock.
 *
 * @module
 */

import { StepRetryError } from "../errors.js";
import type { SignalLike, VirtualClock } from "../types.js";
import { breathe } from "./timers.js";

/** Somebody asleep. */
interface Sleeper {
  due: number;
  wake(): void;
}

/** The event loop goes round this often without anybody stirring before all are taken to be at rest. */
const QUIET_TURNS = 2;
/** With nobody asleep, what is still going on waits for something else; after so many turns it is given up. */
const PATIENCE_TURNS = 1000;

/** A clock for tests; it reads 0 at first. See {@link VirtualClock}. */
export function virtualClock(options: { wallMs?: number } = {}): VirtualClock {
  return new VirtualTime(checkedMs(options.wallMs ?? 0, "wallMs"));
}

class VirtualTime implements VirtualClock {
  readonly #wall: number;
  #now = 0;
  /** Those who sleep, the next to wake first. */
  readonly #sleepers: Sleeper[] = [];
  /** How often somebody has lain down or got up. */
  #stirs = 0;

  constructor(wall: number) {
    this.#wall = wall;
  }

  readonly now = (): number => this.#now;

  readonly wallNow = (): number => this.#wall + this.#now;

  readonly sleep = async (ms: number, signal?: SignalLike): Promise<void> => {
    const due = this.#now + checkedMs(ms, "ms");
    if (signal?.aborted === true) throw signal.reason;
    await new Promise<void>((resolve, reject) => {
      const end = (settle: () => void) => {
        signal?.removeEventListener("abort", stop);
        this.#stirs++;
        settle();
      };
      const sleeper = { due, wake: () => end(resolve) };
      const stop = () => {
        this.#sleepers.splice(this.#sleepers.indexOf(sleeper), 1);
        end(() => reject(signal?.reason));
      };
      signal?.addEventListener("abort", stop);
      this.#layDown(sleeper);
    });
  };

  async advance(ms: number): Promise<void> {
    const until = this.#now + checkedMs(ms, "ms");
    await this.#atRest();
    while (this.#wakeNext(until)) await this.#atRest();
    this.#now = Math.max(this.#now, until);
  }

  async run<T>(work: PromiseLike<T>): Promise<T> {
    let going = true;
    const done = () => {
      going = false;
    };
    work.then(done, done);
    for (let idle = 0; going && idle < PATIENCE_TURNS; idle++) {
      await this.#atRest(() => going);
      if (going && this.#wakeNext(Number.POSITIVE_INFINITY)) idle = 0;
    }
    if (!going) return work;
    throw new StepRetryError(
      "WRONG_STATE",
      "nobody sleeps on this clock, and the work goes on: it waits for something else",
    );
  }

  #layDown(sleeper: Sleeper): void {
    this.#stirs++;
    let [low, high] = [0, this.#sleepers.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      // Of two that are due together, the one that lay down first is woken first.
      if ((this.#sleepers[middle]?.due ?? 0) <= sleeper.due) low = middle + 1;
      else high = middle;
    }
    this.#sleepers.splice(low, 0, sleeper);
  }

  /** Goes on to the next that is due by `until` and wakes it. */
  #wakeNext(until: number): boolean {
    const next = this.#sleepers[0];
    if (next === undefined || next.due > until) return false;
    this.#sleepers.shift();
    this.#now = Math.max(this.#now, next.due);
    next.wake();
    return true;
  }

  /** Waits until all that was woken has done what it can, or `going` says that it is not waited for. */
  async #atRest(going: () => boolean = () => true): Promise<void> {
    for (let quiet = 0; quiet < QUIET_TURNS && going(); quiet++) {
      const stirs = this.#stirs;
      await breathe();
      if (stirs !== this.#stirs) quiet = -1;
    }
  }
}

function checkedMs(ms: number, name: string): number {
  if (typeof ms === "number" && Number.isFinite(ms) && ms >= 0) return ms;
  throw new StepRetryError("INVALID_ARGUMENT", `'${name}' must be a number of milliseconds, 0 or more`, {
    path: [name],
  });
}
