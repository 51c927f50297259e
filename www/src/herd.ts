/**
 * Many workers that fail together: with and without jitter, and with a stock of retries that they share.
 *
 * @module
 */

import { type Jitter, RetryBudget } from "step-retry";
import { type FleetLoad, type FleetOptions, isStepRetryError, simulateFleet } from "step-retry/fleet";
import { duration } from "../../pkg/src/draw/duration.js";
import { drawLoad } from "../../pkg/src/draw/load.js";
import { count } from "../../pkg/src/draw/numbers.js";
import { roundUp } from "../../pkg/src/draw/ticks.js";
import { html, number, select, svg } from "../../pkg/src/element/dom.js";
import { table } from "../../pkg/src/element/parts.js";
import type { PlannedStep } from "../../pkg/src/element/plan-view.js";
import { HERD } from "../../pkg/src/element/texts.js";

/** What is over within this is looked at in tenths of a second, the rest in seconds, but not more of them than this. */
const SHORT_MS = 600_000;
const MOST_BUCKETS = 20_000;

/** A page that stands still for more than about a second is one that nobody waits for. */
const MOST_CALLS = 1e6;

/** The same draw each time: a change of a field is all that changes the picture. */
const SEED = 1;

interface Named {
  name: string;
  load: FleetLoad;
}

/** Shows the herd of one step at a time. */
export class HerdView {
  readonly element: HTMLElement;
  readonly #shown = html("div", { class: "herd" });
  #step: PlannedStep | undefined;
  #workers = 1000;
  /** Half of all waits, until another is asked for: then some come back too early, and some in time. */
  #outageMs: number | undefined;
  #capacity = 100;
  /** The retries that all of them share, a second; without end if none are named. */
  #shared: number | undefined;
  readonly #outage: HTMLInputElement;
  #jitter: Jitter = "full";
  #width = 0;

  constructor() {
    const changed = (take: (value: number) => void) => (value: number | undefined) => {
      if (value === undefined || !(value >= 0)) return;
      take(value);
      this.show(this.#step);
    };
    const workers = number(
      HERD.workers,
      "",
      { min: "1", max: "100000", value: `${this.#workers}` },
      changed((value) => {
        this.#workers = Math.max(1, Math.round(value));
      }),
    );
    const outage = number(HERD.outage, "s", { step: "any" }, (value) => {
      this.#outageMs = value === undefined ? undefined : Math.max(0, value) * 1000;
      this.show(this.#step);
    });
    this.#outage = outage.input;
    const capacity = number(
      HERD.capacity,
      HERD.perSecond,
      { value: `${this.#capacity}` },
      changed((value) => {
        this.#capacity = value;
      }),
    );
    const shared = number(HERD.shared, HERD.sharedUnit, { max: "100000", placeholder: HERD.sharedHint }, (value) => {
      this.#shared = value === undefined ? undefined : Math.min(1e5, Math.max(0, Math.round(value)));
      this.show(this.#step);
    });
    const jitter = select(HERD.jitter, HERD.jitters, (value) => {
      this.#jitter = value as Jitter;
      this.show(this.#step);
    });
    const fields = [workers, outage, capacity, jitter, shared].map(({ field }) => field);
    this.element = html("div", {}, html("div", { class: "fields" }, ...fields), this.#shown);
    new ResizeObserver(() => {
      if (this.#shown.clientWidth !== this.#width) this.show(this.#step);
    }).observe(this.#shown);
  }

  show(step: PlannedStep | undefined): void {
    this.#step = step;
    this.element.hidden = step === undefined;
    this.#width = this.#shown.clientWidth;
    if (step !== undefined && this.#width > 0) this.#shown.replaceChildren(...this.#draw(step));
  }

  #draw(step: PlannedStep): Node[] {
    try {
      const outageMs = this.#outageMs ?? step.plan.totalWaitMs / 2;
      this.#outage.placeholder = `${outageMs / 1000}`;
      if (this.#calls(step, outageMs) > MOST_CALLS) return [html("p", { class: "quiet" }, HERD.tooMany)];
      const bucketMs = bucketFor(Math.max(step.plan.totalWaitMs, outageMs));
      const load = (jitter: Jitter) => this.#simulate(step, { jitter, outageMs, bucketMs });
      const both = [
        { name: HERD.without, load: load("none") },
        { name: HERD.with(this.#jitter), load: load(this.#jitter) },
      ];
      const perSecond = this.#shared;
      if (perSecond === undefined) return this.#compare(both);
      const retryBudget = new RetryBudget({ minPerSecond: perSecond });
      const name = HERD.withShared(this.#jitter, count(perSecond));
      const held = this.#simulate(step, { jitter: this.#jitter, outageMs, bucketMs, retryBudget });
      return [...this.#compare([...both, { name, load: held }]), html("p", { class: "quiet" }, HERD.sharedLegend)];
    } catch (thrown) {
      if (!isStepRetryError(thrown)) throw thrown;
      return [html("p", { class: "quiet" }, HERD.tooMany), html("p", { class: "quiet" }, thrown.message)];
    }
  }

  /** About how many calls there will be: all that there can be, where the service is never able to serve all. */
  #calls({ plan: { maxAttempts, totalWaitMs } }: PlannedStep, outageMs: number): number {
    const waitMs = totalWaitMs / Math.max(1, maxAttempts - 1);
    const servedLater = (Math.max(0, totalWaitMs - outageMs) / 1000) * this.#capacity;
    // Jitter halves the waits.
    const tries = servedLater < this.#workers ? maxAttempts : 1 + (2 * outageMs) / waitMs;
    return this.#workers * Math.min(maxAttempts, tries);
  }

  #simulate({ name, limits }: PlannedStep, options: Omit<FleetOptions, "workers" | "capacityPerSecond">): FleetLoad {
    const [workers, capacityPerSecond] = [this.#workers, this.#capacity];
    return simulateFleet(limits, { ...options, name, workers, capacityPerSecond, seed: SEED });
  }

  #compare(all: readonly Named[]): Node[] {
    const endMs = Math.max(1, ...all.map(({ load }) => load.calls.length * load.bucketMs));
    // The first call of all is at time 0, whatever the policy: it would dwarf everything after it.
    const most = roundUp(
      Math.max(
        1,
        ...all.flatMap(({ load }) => [Math.max(0, ...load.calls.slice(1)), Math.max(0, ...load.capacity) * 1.5]),
      ),
    );
    const pictures = all.map(({ name, load }) => {
      const options = { width: this.#width, title: HERD.picture(name, rush(load)), endMs, most, count };
      return html("figure", {}, html("figcaption", {}, name), svg(drawLoad(load, options)));
    });
    const rows = all.map(({ name, load }) => [
      name,
      duration(load.doneAtMs),
      count(load.attempts),
      count(load.gaveUp),
      rush(load),
    ]);
    return [
      ...pictures,
      html("p", { class: "quiet" }, HERD.legend(duration(all[0]?.load.bucketMs ?? 0))),
      table(HERD.caption, HERD.heads, rows),
    ];
  }
}

function rush({ overload }: FleetLoad): string {
  return overload === null ? HERD.none : HERD.overload(count(Math.round(overload * 10) / 10));
}

function bucketFor(endMs: number): number {
  if (endMs < SHORT_MS) return 100;
  return Math.max(1, Math.ceil(endMs / MOST_BUCKETS / 1000)) * 1000;
}
