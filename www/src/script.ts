/**
 * What happens in each attempt of a run that is tried out.
 *
 * @module
 */

import type { SimulatedOutcome } from "step-retry";
import { button, html, number, select } from "../../pkg/src/element/dom.js";
import { REHEARSE } from "../../pkg/src/element/texts.js";

/** Attempts that can be spoken for; the last speaks for all after it. */
const MOST = 12;

const MS = 200;

const PRESETS: Record<string, readonly SimulatedOutcome[]> = {
  recovers: [
    { result: "retryable", ms: MS },
    { result: "retryable", ms: MS },
    { result: "ok", ms: MS },
  ],
  down: [{ result: "retryable", ms: MS }],
  hangs: [{ result: "hang" }],
  busy: [
    { result: "retryable", ms: MS, retryAfterMs: 30_000, code: "SERVICE_RATE_LIMITED" },
    { result: "ok", ms: MS },
  ],
  fatal: [{ result: "fatal", ms: MS }],
};

/** The rows of the script, each with fields of its own. */
export class Script {
  readonly element: HTMLElement;
  readonly #rows = html("ol", { class: "script" });
  readonly #changed: () => void;
  #outcomes: SimulatedOutcome[] = [...(PRESETS["recovers"] ?? [])];

  constructor(changed: () => void) {
    this.#changed = changed;
    const preset = select(REHEARSE.presets, REHEARSE.presetList, (name) => this.replace(PRESETS[name] ?? []));
    const add = button(REHEARSE.add, () => this.#resize(1));
    const remove = button(REHEARSE.remove, () => this.#resize(-1));
    this.element = html(
      "section",
      { class: "script-pane", "aria-label": REHEARSE.script },
      html("div", { class: "fields" }, preset.field),
      this.#rows,
      html("div", { class: "buttons" }, add, remove),
    );
    this.#draw();
  }

  /** What happens, attempt by attempt. */
  get outcomes(): readonly SimulatedOutcome[] {
    return this.#outcomes;
  }

  /** Another script. */
  replace(outcomes: readonly SimulatedOutcome[]): void {
    this.#outcomes = outcomes.slice(0, MOST);
    if (this.#outcomes.length === 0) this.#outcomes = [{ result: "ok" }];
    this.#draw();
    this.#changed();
  }

  /** Takes the keyboard to what happens in `attempt`. */
  focus(attempt: number): void {
    while (this.#outcomes.length < Math.min(attempt, MOST)) this.#outcomes.push({ ...this.#last() });
    this.#draw();
    this.#rows.children[Math.min(attempt, this.#outcomes.length) - 1]?.querySelector("select")?.focus();
    this.#changed();
  }

  #last(): SimulatedOutcome {
    return this.#outcomes.at(-1) ?? { result: "ok" };
  }

  #resize(by: number): void {
    if (by > 0) this.replace([...this.#outcomes, { ...this.#last() }]);
    else this.replace(this.#outcomes.slice(0, Math.max(1, this.#outcomes.length - 1)));
  }

  #draw(): void {
    const last = this.#outcomes.length - 1;
    this.#rows.replaceChildren(
      ...this.#outcomes.map((outcome, index) => {
        const name = index === last ? REHEARSE.and(index + 1) : REHEARSE.attempt(index + 1);
        return html("li", {}, html("fieldset", {}, html("legend", {}, name), ...this.#fields(outcome, index)));
      }),
    );
  }

  #fields(outcome: SimulatedOutcome, index: number): HTMLElement[] {
    const { result, ms, retryAfterMs } = outcome;
    const kind = select(REHEARSE.result, REHEARSE.results, (value) => {
      this.#change(index, { result: value as SimulatedOutcome["result"] });
      this.#draw();
      this.#rows.children[index]?.querySelector("select")?.focus();
    });
    kind.input.value = result;
    const fields = [kind.field];
    if (result !== "hang") {
      const takes = number(REHEARSE.takes, "ms", { value: `${ms ?? 0}` }, (value) =>
        this.#change(index, { ms: positive(value) }),
      );
      fields.push(takes.field);
    }
    if (result === "retryable") {
      const attributes = retryAfterMs === undefined ? {} : { value: `${retryAfterMs / 1000}` };
      const hint = number(REHEARSE.hint, "s", { step: "any", ...attributes }, (value) => {
        this.#change(index, { retryAfterMs: value === undefined ? undefined : positive(value) * 1000 });
      });
      fields.push(hint.field);
    }
    return fields;
  }

  #change(index: number, change: Partial<SimulatedOutcome>): void {
    this.#outcomes = this.#outcomes.map((outcome, at) => (at === index ? { ...outcome, ...change } : outcome));
    this.#changed();
  }
}

function positive(value: number | undefined): number {
  return value !== undefined && value >= 0 ? value : 0;
}
