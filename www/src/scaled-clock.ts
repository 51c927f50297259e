/**
 * Real time that passes faster, and can be held.
 *
 * @module
 */

import type { AttemptSignal, Clock } from "step-retry";

interface Sleeper {
  due: number;
  wake: () => void;
}

/**
 * A clock that runs `speed` times as fast as the browser's. A browser's timers come late by some ms, which would be
 * seconds here: so it never reads more than the time at which the next sleeper is to be woken, and stands still while
 * what was woken is at work. What happens in a run happens at the times of its script, only sooner.
 */
export class ScaledClock implements Clock {
  readonly #speed: number;
  readonly #sleepers = new Set<Sleeper>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The reading when it was last started, and the browser's then; it stands still without the latter. */
  #base: number;
  #startedAt: number | undefined;
  #isPaused = false;

  constructor(speed: number, fromMs: number) {
    this.#speed = speed;
    this.#base = fromMs;
    this.#goOn();
  }

  get paused(): boolean {
    return this.#isPaused;
  }

  readonly now = (): number => {
    if (this.#startedAt === undefined) return this.#base;
    return Math.min(this.#base + (performance.now() - this.#startedAt) * this.#speed, this.#nextDue());
  };

  readonly sleep = (ms: number, signal: AttemptSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const end = (settle: () => void) => {
        this.#sleepers.delete(sleeper);
        signal.removeEventListener("abort", stop);
        settle();
      };
      const sleeper = { due: this.now() + ms, wake: () => end(resolve) };
      const stop = () => end(() => reject(signal.reason));
      if (signal.aborted) return stop();
      signal.addEventListener("abort", stop);
      this.#sleepers.add(sleeper);
      this.#schedule();
    });

  pause(): void {
    this.#isPaused = true;
    this.#stand();
  }

  resume(): void {
    this.#isPaused = false;
    this.#go();
  }

  #stand(): void {
    this.#base = this.now();
    this.#startedAt = undefined;
    this.#schedule();
  }

  #go(): void {
    if (!this.#isPaused) this.#startedAt ??= performance.now();
    this.#schedule();
  }

  #nextDue(): number {
    return Math.min(...Array.from(this.#sleepers, ({ due }) => due));
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#startedAt === undefined || this.#sleepers.size === 0) return;
    const ms = Math.max(0, this.#nextDue() - this.now()) / this.#speed;
    // A browser's timers know no more than 31 bits.
    this.#timer = setTimeout(() => this.#wake(), Math.min(2 ** 31 - 1, ms));
  }

  #wake(): void {
    this.#stand();
    for (const sleeper of [...this.#sleepers]) if (sleeper.due <= this.#base) sleeper.wake();
    this.#goOn();
  }

  /** Goes on behind all that happens at this time. */
  #goOn(): void {
    setTimeout(() => this.#go());
  }
}
