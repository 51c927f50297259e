/**
 * A stock of retries that the runs of this page share, one after the other.
 *
 * @module
 */

import { RetryBudget } from "step-retry";
import { html, number, say } from "../../pkg/src/element/dom.js";
import { STOCK } from "../../pkg/src/element/texts.js";

/** How long a retry counts; the text on the page says so too. */
const WINDOW_MS = 60_000;
const MOST = 1e6;

/** The field for its size, and what is left of it. */
export class Stock {
  readonly element: HTMLElement;
  readonly #left = html("span", { class: "quiet", role: "status" });
  #budget: RetryBudget | undefined;
  /** The time of the runs: it stands still between them, so that the stock is what the last one left. */
  #nowMs = 0;

  constructor(changed: () => void) {
    const attributes = { max: `${MOST}`, placeholder: STOCK.none };
    const { field } = number(STOCK.size, STOCK.unit, attributes, (size) => {
      const minPerSecond = (Math.min(MOST, Math.max(0, Math.round(size ?? 0))) * 1000) / WINDOW_MS;
      this.#budget = size === undefined ? undefined : new RetryBudget({ minPerSecond, ttlMs: WINDOW_MS });
      this.tell(this.#nowMs);
      changed();
    });
    this.element = html("div", { class: "stock" }, field, this.#left);
  }

  /** What a run takes its retries from; nothing where they have no end. */
  get budget(): RetryBudget | undefined {
    return this.#budget;
  }

  /** When the next run begins. */
  get nowMs(): number {
    return this.#nowMs;
  }

  /** Says how many are left at `nowMs`. */
  tell(nowMs: number): void {
    this.#nowMs = nowMs;
    say(this.#left, this.#budget === undefined ? "" : STOCK.left(this.#budget.available(nowMs)));
  }
}
