/**
 * `step-retry run`: a step of a workflow file, run under its own limits.
 *
 * @module
 */

import { writeFile } from "node:fs/promises";
import { runStep, validate } from "../index.js";
import type { StepResult } from "../types.js";
import { readArguments } from "./arguments.js";
import { EXIT, Refusal, WrongUsage } from "./exit.js";
import { readWorkflow } from "./files.js";
import { httpGet } from "./http.js";
import { printEvent } from "./progress.js";
import { inspect } from "./record-text.js";
import { isLoaderError } from "./report-text.js";
import { findStep, limitsOf } from "./steps.js";
import type { Terminal } from "./terminal.js";

/** What `step-retry run --help` prints. */
export const RUN_HELP = `Runs a step of a workflow file for real, under its own limits.

Usage: step-retry run [options] FILE STEP --get URL

Each attempt is an HTTP GET of URL. Status 429, 408 and 5xx, and a network that cannot be
reached, are tried again as the step's retry block says. What happens is told on stderr as it
happens; the record of all attempts is printed on stdout at the end.

Options:
  --get URL      What each attempt does
  --record FILE  Write the record to FILE as JSON
  --json         Print the record as JSON
  --help         This text

Exit code: 0 the step succeeded, 1 it did not, 2 wrong usage, 130 interrupted.`;

const OPTIONS = {
  get: { type: "string" },
  record: { type: "string" },
  json: { type: "boolean", default: false },
} as const;

/** Runs the command and returns its exit code. */
export async function runCommand(args: string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const [path, name, ...rest] = positionals;
  if (path === undefined || name === undefined || rest.length > 0) throw new WrongUsage("give one workflow file and one step");
  if (values.get === undefined) throw new WrongUsage("say what to run: --get URL");
  const url = httpUrl(values.get);
  const report = validate((await readWorkflow(path)).text);
  // As in the reference, unknown keys stop `validate` but not a run.
  if (report.diagnostics.some(isLoaderError)) throw new Refusal(report.summary);
  const limits = limitsOf(report, findStep(report, name));
  const result = await untilInterrupted((signal) =>
    runStep(limits, (context) => httpGet(url, context), { name, signal, hash: true, onEvent: (event) => printEvent(terminal, event) }),
  );
  await deliver(result, values.record, values.json, terminal);
  if (result.ok) return EXIT.ok;
  return result.record.outcome === "aborted" ? EXIT.interrupted : EXIT.failed;
}

function httpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") throw new WrongUsage(`--get takes an http or https address, not '${text}'`);
  return url;
}

/** Runs `work` with a signal that fires on the first interrupt; a second one ends the process as usual. */
async function untilInterrupted<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const interrupt = () => controller.abort(new Error("interrupted"));
  process.once("SIGINT", interrupt);
  process.once("SIGTERM", interrupt);
  try {
    return await work(controller.signal);
  } finally {
    process.off("SIGINT", interrupt);
    process.off("SIGTERM", interrupt);
  }
}

async function deliver(result: StepResult, recordPath: string | undefined, json: boolean, terminal: Terminal): Promise<void> {
  const record = JSON.stringify(result.record, null, 2);
  if (json) terminal.out(record);
  else for (const line of inspect(result.record)) terminal.out(line);
  if (result.error !== undefined && !json) terminal.out(`${result.error.code}: ${result.error.message}`);
  if (recordPath === undefined) return;
  try {
    await writeFile(recordPath, `${record}\n`);
  } catch (error) {
    throw new Refusal(`Failed to write the record: ${error instanceof Error ? error.message : String(error)}`);
  }
}
