/**
 * A stock of retries that steps share, so that many callers of one sick service do not storm it.
 *
 * @module
 */

import { StepRetryError } from "../errors.js";
import type { RetryBudgetLike, RetryBudgetOptions } from "../types.js";

/** What each number is, its default and its range. */
const NUMBERS = {
  ttlMs: { standard: 10_000, least: 1000, most: 60_000, demand: "a number of milliseconds, 1000 to 60000" },
  retryRatio: { standard: 0.2, least: 0, most: 1000, demand: "a number, 0 to 1000" },
  minPerSecond: { standard: 10, least: 0, most: 1e6, demand: "a number, 0 to 1000000" },
} as const;

/** The window moves on in so many steps. */
const SLOTS = 10;

/** What happened in one part of the window. */
interface Slot {
  successes: number;
  retries: number;
}

/**
 * Lets retries be a share of the calls that work, and a floor of so many a second besides, so that a
 * caller with little traffic is never without.
 *
 * Every success and every retry counts for `ttlMs`. In that time there are at most
 * `minPerSecond × ttlMs / 1000 + retryRatio × successes` retries; the first attempt of a step is no retry and is
 * never held back. Give each target (a service, a host) a budget of its own: one that is down must not
 * take the retries of the others.
 */
export class RetryBudget implements RetryBudgetLike {
  readonly #slotMs: number;
  readonly #ratio: number;
  readonly #floor: number;
  readonly #slots: Slot[] = Array.from({ length: SLOTS }, () => ({ successes: 0, retries: 0 }));
  /** The number of the newest slot, counted from the clock's zero. */
  #newest = Number.NEGATIVE_INFINITY;

  /** @throws `StepRetryError` with `INVALID_ARGUMENT` for a number out of its range, and for a floor that is less than one retry. */
  constructor(options: RetryBudgetOptions = {}) {
    if (typeof options !== "object" || options === null) {
      throw new StepRetryError("INVALID_ARGUMENT", "'options' must be an object", { path: ["options"] });
    }
    const read = (key: keyof typeof NUMBERS): number => {
      const { standard, least, most, demand } = NUMBERS[key];
      const number = options[key] === undefined ? standard : options[key];
      if (typeof number === "number" && number >= least && number <= most) return number;
      throw new StepRetryError("INVALID_ARGUMENT", `'${key}' must be ${demand}`, { path: [key] });
    };
    const ttlMs = read("ttlMs");
    this.#slotMs = ttlMs / SLOTS;
    this.#ratio = read("retryRatio");
    this.#floor = (read("minPerSecond") * ttlMs) / 1000;
    if (this.#floor > 0 && this.#floor < 1) {
      const least = 1000 / ttlMs;
      throw new StepRetryError(
        "INVALID_ARGUMENT",
        `'minPerSecond' must be 0 or at least ${least}: one retry in 'ttlMs'`,
        {
          path: ["minPerSecond"],
        },
      );
    }
  }

  /** How many retries there are at `nowMs`. */
  available(nowMs: number): number {
    this.#moveTo(nowMs);
    const sum = { successes: 0, retries: 0 };
    for (const { successes, retries } of this.#slots) {
      sum.successes += successes;
      sum.retries += retries;
    }
    // A share is a sum of fractions, which a hair must not keep from being a whole.
    return Math.max(0, Math.floor(this.#floor + this.#ratio * sum.successes - sum.retries + 1e-9));
  }

  take(nowMs: number): boolean {
    if (this.available(nowMs) < 1) return false;
    this.#slot().retries++;
    return true;
  }

  succeeded(nowMs: number): void {
    this.#moveTo(nowMs);
    this.#slot().successes++;
  }

  #slot(): Slot {
    return this.#slots[mod(this.#newest)] as Slot;
  }

  /** Forgets what is older than the window. A clock that runs backward is taken to stand still. */
  #moveTo(nowMs: number): void {
    const newest = Math.floor(nowMs / this.#slotMs);
    if (!(newest > this.#newest)) {
      if (this.#newest === Number.NEGATIVE_INFINITY) this.#newest = 0;
      return;
    }
    const first = Math.max(this.#newest + 1, newest - SLOTS + 1);
    for (let slot = first; slot <= newest; slot++) this.#slots[mod(slot)] = { successes: 0, retries: 0 };
    this.#newest = newest;
  }
}

function mod(slot: number): number {
  return ((slot % SLOTS) + SLOTS) % SLOTS;
}
