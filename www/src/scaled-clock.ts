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

/** A clock that runs `speed` times as fast as the browser's. */
export class ScaledClock implements Clock {
  readonly #speed: number;
  readonly #sleepers = new Set<Sleeper>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The reading when it was last started, and the browser's then; it stands still without the latter. */
  #base: number;
  #startedAt: number | undefined = performance.now();

  constructor(speed: number, fromMs: number) {
    this.#speed = speed;
    this.#base = fromMs;
  }

  get paused(): boolean {
    return this.#startedAt === undefined;
  }

  readonly now = (): number =>
    this.#startedAt === undefined ? this.#base : this.#base + (performance.now() - this.#startedAt) * this.#speed;

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
    this.#base = this.now();
    this.#startedAt = undefined;
    this.#schedule();
  }

  resume(): void {
    this.#startedAt ??= performance.now();
    this.#schedule();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.paused || this.#sleepers.size === 0) return;
    const next = Math.min(...[...this.#sleepers].map(({ due }) => due));
    // A browser's timers know no more than 31 bits.
    this.#timer = setTimeout(() => this.#wake(), Math.min(2 ** 31 - 1, Math.max(0, next - this.now()) / this.#speed));
  }

  #wake(): void {
    const now = this.now();
    for (const sleeper of [...this.#sleepers]) if (sleeper.due <= now) sleeper.wake();
    this.#schedule();
  }
}
