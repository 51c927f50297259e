/**
 * What the retries of a step will do: sentences, picture and table.
 *
 * @module
 */

import { type Plan, type PlanRow, planRows, type StepLimits, type StepSummary } from "step-retry";
import { drawPicture } from "../../pkg/src/draw/svg.js";
import { timeline } from "../../pkg/src/draw/timeline.js";
import { attemptsSentence, planTable, totalsSentence } from "../../pkg/src/draw/words.js";
import { html, svg } from "./dom.js";

/** Attempts shown; a page that lists thousands shows nothing. */
const ROWS_SHOWN = 30;

/** A step that has limits to show. */
export type PlannedStep = StepSummary & { limits: StepLimits; plan: Plan };

/** Whether `step` has limits to show. */
export function isPlanned(step: StepSummary): step is PlannedStep {
  return step.limits !== undefined && step.plan !== undefined;
}

/** The view of `step`, its picture `width` CSS pixels wide. */
export function planView({ name, limits, plan }: PlannedStep, width: number): Node[] {
  const rows = planRows(limits, { name, count: ROWS_SHOWN });
  const picture = drawPicture(timeline(rows, plan), {
    width,
    title: `Timeline of the attempts of ${name}; the table below has the same in numbers`,
  });
  const more = rows.at(-1)?.reachable === true ? plan.maxAttempts - rows.length : 0;
  return [
    html("p", { class: "sentence" }, `${attemptsSentence(plan, rows)} ${totalsSentence(plan)}`),
    svg(picture),
    table(name, plan, rows),
    ...(more > 0 ? [html("p", { class: "more" }, `and ${more} more`)] : []),
  ];
}

function table(name: string, plan: Plan, rows: readonly PlanRow[]): HTMLElement {
  const { heads, cells } = planTable(plan, rows);
  return html(
    "table",
    {},
    html("caption", {}, `Attempts of ${name}, each running to its limit`),
    html("thead", {}, html("tr", {}, ...heads.map((head) => html("th", { scope: "col" }, head)))),
    html(
      "tbody",
      {},
      ...cells.map(([attempt, ...rest]) =>
        html("tr", {}, html("th", { scope: "row" }, attempt ?? ""), ...rest.map((cell) => html("td", {}, cell))),
      ),
    ),
  );
}
