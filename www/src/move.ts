/**
 * A step's policy in another engine's words, with what is lost on the way; and the way back.
 *
 * @module
 */

import { EXPORT_TARGETS, type ExportTarget, exportPolicy, type PolicyExport } from "step-retry/export";
import { duration, spoken, unbroken } from "../../pkg/src/draw/duration.js";
import { button, html, say, select } from "../../pkg/src/element/dom.js";
import { table } from "../../pkg/src/element/parts.js";
import type { PlannedStep } from "../../pkg/src/element/plan-view.js";
import { MOVE } from "../../pkg/src/element/texts.js";
import { Bring, type BringHost } from "./bring.js";

/** Waits that are listed. */
const MOST_WAITS = 20;

/** What this part needs of the page. */
export interface MoveHost extends BringHost {
  copy: (text: string) => void;
}

/** Shows one step on one engine at a time. */
export class MoveView {
  readonly element: HTMLElement;
  readonly #shown = html("div", { class: "move" });
  readonly #verdict = html("p", { class: "verdict", role: "status" });
  readonly #copy: (text: string) => void;
  readonly #bring: Bring;
  #target: ExportTarget = "temporal";
  #step: PlannedStep | undefined;

  constructor(host: MoveHost) {
    this.#copy = host.copy;
    this.#bring = new Bring(host);
    const targets = EXPORT_TARGETS.map((target) => [target, MOVE.targets[target]] as const);
    const { field } = select(MOVE.to, targets, (value) => {
      this.#target = value as ExportTarget;
      this.show(this.#step);
    });
    const fields = html("div", { class: "fields" }, field);
    this.element = html("div", { class: "run" }, this.#bring.element, fields, this.#verdict, this.#shown);
  }

  show(step: PlannedStep | undefined): void {
    this.#step = step;
    this.#bring.follow();
    if (step === undefined) {
      say(this.#verdict, "");
      this.#shown.replaceChildren();
      return;
    }
    const moved = exportPolicy(step.limits, this.#target, { name: step.name });
    say(this.#verdict, MOVE.verdicts[moved.verdict]);
    this.#shown.replaceChildren(...this.#draw(moved));
  }

  #draw({ text, losses, waits }: PolicyExport): Node[] {
    const name = MOVE.text(MOVE.targets[this.#target]);
    const items = losses.map(({ code, verdict, message }) =>
      html("li", { class: verdict }, html("code", {}, code), " ", unbroken(spoken(message))),
    );
    const differing = waits.filter(
      ({ oursMs, theirsMs, theirsMaxMs }) => oursMs !== theirsMs || theirsMaxMs !== undefined,
    );
    const rows = waits.slice(0, MOST_WAITS).map(({ wait, oursMs, theirsMs, theirsMaxMs }) => {
      const there = duration(theirsMs);
      return [`${wait}`, duration(oursMs), theirsMaxMs === undefined ? there : MOVE.upTo(there, duration(theirsMaxMs))];
    });
    return [
      ...(items.length === 0 ? [] : [html("h3", {}, MOVE.losses), html("ul", { class: "losses" }, ...items)]),
      html("h3", {}, name),
      html(
        "div",
        { class: "buttons" },
        button(MOVE.copy, () => this.#copy(text)),
      ),
      html("pre", { tabindex: "0", role: "region", "aria-label": name }, text),
      ...(differing.length === 0 ? [] : [table(MOVE.waits, MOVE.heads, rows)]),
    ];
  }
}
