/**
 * `step-retry plan`: what the retries of a step will do.
 *
 * @module
 */

import { drawPicture } from "../draw/svg.js";
import { svgFile } from "../draw/svg-file.js";
import { drawTable, drawTimeline } from "../draw/terminal.js";
import { timeline } from "../draw/timeline.js";
import { planTable, totalsSentence } from "../draw/words.js";
import { explain, plan, planRows, validate } from "../index.js";
import type { Plan, PlanRow, Report, StepLimits, StepSummary } from "../types.js";
import { readArguments, wholeNumber } from "./arguments.js";
import { EXIT, Refusal, WrongUsage } from "./exit.js";
import { readWorkflow, writeText } from "./files.js";
import { mark } from "./report-text.js";
import { findStep, limitsOf } from "./steps.js";
import type { Terminal } from "./terminal.js";
import { closingLines } from "./verdict.js";

/** What `step-retry plan --help` prints. */
export const PLAN_HELP = `Shows what the retries of a workflow file will do.

Usage: step-retry plan [options] FILE [STEP]

Without STEP: a line for each step that has limits.
With STEP: each attempt, the wait before it, when it starts and its limit, if every attempt runs to its limit.

Options:
  --rows N   How many attempts to show (default 20)
  --from N   The first attempt to show (default 1)
  --json     The same as one JSON object
  --svg FILE Draw the chart of STEP into an SVG file as well
  --ascii    Draw in ASCII
  --help     This text

Exit code: 0 shown, 1 the file or the step cannot be planned, 2 wrong usage.`;

const OPTIONS = {
  rows: { type: "string", default: "20" },
  from: { type: "string", default: "1" },
  json: { type: "boolean", default: false },
  svg: { type: "string" },
  ascii: { type: "boolean", default: false },
} as const;

/** How wide the picture in a file is, in CSS pixels. */
const PICTURE_WIDTH = 800;

/** A stretch of a plan's attempts. */
interface Page {
  from: number;
  count: number;
}

/** Runs the command and returns its exit code. */
export async function planCommand(args: string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const [path, name, ...rest] = positionals;
  if (path === undefined || rest.length > 0) throw new WrongUsage("give one workflow file and at most one step");
  if (values.svg !== undefined && name === undefined) throw new WrongUsage("--svg needs a step");
  const page = { from: wholeNumber("--from", values.from), count: wholeNumber("--rows", values.rows) };
  const file = await readWorkflow(path);
  const report = validate(file.text);
  if (report.steps.length === 0)
    throw new Refusal(report.valid ? `'${file.path}' has no steps` : closingLines(report).join("\n"));
  const screen = { ...terminal, ascii: terminal.ascii || values.ascii };
  if (name === undefined) printOverview(report, values.json, screen);
  else await printStep(report, findStep(report, name), page, { json: values.json, svg: values.svg }, screen);
  if (!report.valid) terminal.err(`The file is not valid as it stands: see 'step-retry validate ${path}'.`);
  return EXIT.ok;
}

/** A step together with limits that can be planned. */
type PlannedStep = StepSummary & { limits: StepLimits; plan: Plan };

function isPlanned(step: StepSummary): step is PlannedStep {
  return step.limits !== undefined && step.plan !== undefined;
}

function printOverview(report: Report, json: boolean, terminal: Terminal): void {
  const planned = report.steps.filter(isPlanned);
  if (json) {
    const steps = planned.map(({ name, execution, limits, plan }) => ({ step: name, execution, limits, plan }));
    terminal.out(JSON.stringify(steps, null, 2));
  } else if (planned.length === 0) {
    terminal.out("No step has limits of its own.");
  } else {
    for (const { name, limits } of planned)
      terminal.out([{ text: name, style: "bold" }, `  ${explain(limits, { name })}`]);
  }
}

/** Where a step's plan goes beside the terminal. */
interface Output {
  json: boolean;
  svg: string | undefined;
}

async function printStep(
  report: Report,
  step: StepSummary,
  page: Page,
  { json, svg }: Output,
  terminal: Terminal,
): Promise<void> {
  const { name, execution } = step;
  const limits = limitsOf(report, step);
  const whole = step.plan ?? plan(limits, { name });
  const rows = planRows(limits, { name, ...page });
  if (rows.length === 0) throw new Refusal(`--from ${page.from} is past the last attempt, ${whole.maxAttempts}`);
  const sentence = explain(limits, { name });
  if (svg !== undefined) await writeText(svg, drawn(name, sentence, whole, rows));
  if (json)
    terminal.out(JSON.stringify({ step: name, execution, limits, explanation: sentence, plan: whole, rows }, null, 2));
  else printRows(name, sentence, whole, rows, terminal);
}

function drawn(name: string, sentence: string, plan: Plan, rows: PlanRow[]): string {
  return svgFile(drawPicture(timeline(rows, plan), { width: PICTURE_WIDTH, title: `${name}: ${sentence}` }));
}

function printRows(name: string, sentence: string, plan: Plan, rows: PlanRow[], terminal: Terminal): void {
  terminal.out([{ text: name, style: "bold" }, `: ${sentence}`]);
  terminal.out(totalsSentence(plan));
  terminal.out("");
  const { heads, cells } = planTable(plan, rows);
  for (const line of drawTable(heads, cells, ["right", "right", "right", "right", "left"])) terminal.out(`  ${line}`);
  const last = rows.at(-1);
  if (last?.reachable === true && last.attempt < plan.maxAttempts)
    terminal.out(`  … ${plan.maxAttempts - last.attempt} more: --from ${last.attempt + 1}`);
  terminal.out("");
  const chart = drawTimeline(timeline(rows, plan), { width: terminal.columns, ascii: terminal.ascii });
  for (const line of chart) terminal.out(line);
  for (const { severity, message } of plan.advice) terminal.err([mark(severity), ` ${message}`]);
}
