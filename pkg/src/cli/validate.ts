/**
 * `step-retry validate`: what is wrong with workflow files.
 *
 * @module
 */

import { version } from "../index.js";
import { readArguments } from "./arguments.js";
import { type Checked, check, isValid } from "./checked.js";
import { EXIT, WrongUsage } from "./exit.js";
import { findWorkflows, STDIN, workflowPath } from "./files.js";
import { mendFile } from "./mend-file.js";
import { githubLines } from "./report-github.js";
import { jsonReport } from "./report-json.js";
import { sarifLog } from "./report-sarif.js";
import { printReport } from "./report-text.js";
import type { Terminal } from "./terminal.js";

/** What `step-retry validate --help` prints. */
export const VALIDATE_HELP = `Checks workflow files.

Usage: step-retry validate [options] PATH...

A PATH that does not end in .yaml or .yml is a folder: its workflow.yaml is checked. A single -
is standard input.

Options:
  --strict         Warnings refuse a file too
  --recursive      Check every workflow.yaml in the folders given and below
  --format FORMAT  text (default), json, github (annotations of a workflow run) or sarif (2.1.0)
  --json           Short for --format json: one object for each file; for several, a list
  --fix            Mend the files in place, where there is only one way to mend
  --dry-run        With --fix: print what would change as a diff, and change nothing
  --help           This text

Exit code: 0 all files are valid (with --fix: after mending), 1 one is not, 2 wrong usage.`;

const OPTIONS = {
  strict: { type: "boolean", default: false },
  recursive: { type: "boolean", default: false },
  format: { type: "string" },
  json: { type: "boolean", default: false },
  fix: { type: "boolean", default: false },
  "dry-run": { type: "boolean", default: false },
} as const;

type Print = (terminal: Terminal, files: readonly Checked[], strict: boolean) => void;

const FORMATS: ReadonlyMap<string, Print> = new Map([
  ["text", printText],
  ["json", printJson],
  ["github", printGithub],
  ["sarif", printSarif],
]);

/** Runs the command and returns its exit code. */
export async function validateCommand(args: string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS);
  if (positionals.length === 0) throw new WrongUsage("which file? Give the path of a workflow file or of its folder");
  const print = formatOf(values.format ?? (values.json ? "json" : "text"));
  const dryRun = values["dry-run"];
  if (dryRun && !values.fix) throw new WrongUsage("--dry-run goes with --fix");

  const files: Checked[] = [];
  for (const path of await allPaths(positionals, values.recursive)) {
    const checked = await check(path, values.strict);
    files.push(values.fix ? await mendFile(checked, { strict: values.strict, dryRun }, terminal) : checked);
  }
  // What --fix puts on stdout, a diff or the mended standard input, is for another program to read.
  const stdoutIsTaken = values.fix && (dryRun || positionals.includes(STDIN));
  print(stdoutIsTaken ? { ...terminal, out: terminal.err } : terminal, files, values.strict);
  return files.every(isValid) ? EXIT.ok : EXIT.failed;
}

function formatOf(name: string): Print {
  const print = FORMATS.get(name);
  if (print === undefined) throw new WrongUsage(`there is no format '${name}', only ${[...FORMATS.keys()].join(", ")}`);
  return print;
}

async function allPaths(paths: string[], recursive: boolean): Promise<string[]> {
  if (!recursive) return paths;
  const found: string[] = [];
  for (const path of paths)
    found.push(...(path === STDIN || workflowPath(path) === path ? [path] : await findWorkflows(path)));
  return found;
}

function printText(terminal: Terminal, files: readonly Checked[]): void {
  const several = files.length > 1;
  for (const checked of files) {
    if ("report" in checked) printReport(terminal, checked.file, checked.report, several);
    else terminal.err(`${several ? `${checked.path}: ` : ""}Invalid: ${checked.failure}`);
  }
}

function printJson(terminal: Terminal, files: readonly Checked[], strict: boolean): void {
  const reports = files.map((checked) => jsonReport(checked, strict, version().version));
  terminal.out(JSON.stringify(reports.length === 1 ? reports[0] : reports, null, 2));
}

function printGithub(terminal: Terminal, files: readonly Checked[]): void {
  for (const checked of files) for (const line of githubLines(checked)) terminal.out(line);
}

function printSarif(terminal: Terminal, files: readonly Checked[]): void {
  terminal.out(JSON.stringify(sarifLog(files, version().version), null, 2));
}
