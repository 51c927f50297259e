/**
 * `step-retry validate`: what is wrong with workflow files.
 *
 * @module
 */

import { validate, version } from "../index.js";
import { readArguments } from "./arguments.js";
import { EXIT, Refusal, WrongUsage } from "./exit.js";
import { readWorkflow, workflowPath } from "./files.js";
import { jsonReport, unreadableJsonReport, type JsonReport } from "./report-json.js";
import { printReport } from "./report-text.js";
import type { Terminal } from "./terminal.js";

/** What `step-retry validate --help` prints. */
export const VALIDATE_HELP = `Checks workflow files.

Usage: step-retry validate [options] PATH...

A PATH that does not end in .yaml or .yml is a folder: its workflow.yaml is checked.

Options:
  --strict   Warnings refuse a file too
  --json     One JSON object for each file; for several files, a list of them
  --help     This text

Exit code: 0 all files are valid, 1 one is not, 2 wrong usage.`;

const OPTIONS = {
  strict: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
} as const;

/** Runs the command and returns its exit code. */
export async function validateCommand(args: string[], terminal: Terminal): Promise<number> {
  const { values, positionals: paths } = readArguments(args, OPTIONS);
  if (paths.length === 0) throw new WrongUsage("which file? Give the path of a workflow file or of its folder");
  if (values.json) return validateAsJson(paths, values.strict, terminal);
  let valid = true;
  for (const path of paths) {
    valid = (await validateAsText(path, values.strict, terminal, paths.length > 1)) && valid;
  }
  return valid ? EXIT.ok : EXIT.failed;
}

async function validateAsText(path: string, strict: boolean, terminal: Terminal, several: boolean): Promise<boolean> {
  try {
    const file = await readWorkflow(path);
    const report = validate(file.text, { strict });
    printReport(terminal, file, report, several);
    return report.valid;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    terminal.err(`${several ? `${workflowPath(path)}: ` : ""}Invalid: ${error.message}`);
    return false;
  }
}

async function validateAsJson(paths: string[], strict: boolean, terminal: Terminal): Promise<number> {
  const reports: JsonReport[] = [];
  for (const path of paths) reports.push(await jsonReportOf(path, strict));
  terminal.out(JSON.stringify(reports.length === 1 ? reports[0] : reports, null, 2));
  return reports.every(({ valid, strict: { failed } }) => valid && !failed) ? EXIT.ok : EXIT.failed;
}

async function jsonReportOf(path: string, strict: boolean): Promise<JsonReport> {
  try {
    const file = await readWorkflow(path);
    return jsonReport(file.path, validate(file.text), strict, version().version);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return unreadableJsonReport(workflowPath(path), error.message, strict, version().version);
  }
}
