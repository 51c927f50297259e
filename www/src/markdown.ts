/**
 * A step's plan as Markdown, for an issue or a page.
 *
 * @module
 */

import { explain, planRows } from "step-retry";
import { planTable } from "../../pkg/src/draw/words.js";
import type { PlannedStep } from "../../pkg/src/element/plan-view.js";
import { PAGE } from "../../pkg/src/element/texts.js";

const ROWS = 10;

/** The sentence and the table of `step`, and a link to all of it. */
export function markdown(step: PlannedStep, link: string | undefined): string {
  const rows = planRows(step.limits, { name: step.name, count: ROWS });
  const { heads, cells } = planTable(step.plan, rows);
  const line = (texts: readonly string[]) => `| ${texts.map((text) => text.replaceAll("|", "\\|")).join(" | ")} |`;
  return [
    `**${step.name}**: ${explain(step.limits)}`,
    "",
    line(heads),
    line(heads.map(() => "---")),
    ...cells.map(line),
    ...(link === undefined ? [] : ["", `[${PAGE.openInPlayground}](${link})`]),
    "",
  ].join("\n");
}
