/**
 * `step-retry run`: a step of a workflow file, run under its own limits.
 *
 * @module
 */

import { writeFile } from "node:fs/promises";
import { inspect, runStep, validate } from "../index.js";
import type { StepLimits, StepResult } from "../types.js";
import { readArguments } from "./arguments.js";
import { EXIT, Refusal, signalExitCode, WrongUsage } from "./exit.js";
import { readWorkflow } from "./files.js";
import { untilInterrupted } from "./interrupts.js";
import { printEvent } from "./progress.js";
import { findStep, limitsOf } from "./steps.js";
import type { Terminal } from "./terminal.js";
import { closingLines, isLoaderError } from "./verdict.js";
import { type Work, workOf } from "./work.js";

/** What `step-retry run --help` prints. */
export const RUN_HELP = `Runs a step of a workflow file for real, under its own limits.

Usage: step-retry run [options] FILE STEP --get URL
       step-retry run [options] FILE STEP -- PROGRAM [ARGUMENT...]

With --get each attempt is an HTTP GET: status 408, 429 and 5xx and a network that cannot be
reached are tried again as the step's retry block says. With -- each attempt starts the program:
exit code 0 is success, 75 (or those of --retry-on) are tried again. Its output is passed on, each
line with the attempt in front. It gets no input. At its limit it is asked to end (SIGTERM), after
the grace it is killed, each time with everything it has started.

What happens is told on stderr as it happens, then the record of all attempts is printed.

Options:
  --get URL         What each attempt does
  --retry-on CODES  Exit codes that are tried again, with commas between (default 75)
  --grace MS        Time between asking a program to end and killing it (default 5000)
  --record FILE     Write the record to FILE as JSON
  --json            Print the record as JSON on stdout; a program's output then goes to stderr
  --help            This text

Exit code: 0 the step succeeded, 1 it did not, 2 wrong usage, 128 + n ended by signal n.
With a program: its own last exit code, 124 if it was stopped at its limit.`;

const OPTIONS = {
  get: { type: "string" },
  "retry-on": { type: "string", default: "75" },
  grace: { type: "string", default: "5000" },
  record: { type: "string" },
  json: { type: "boolean", default: false },
} as const;

/** Runs the command and returns its exit code. */
export async function runCommand(args: string[], terminal: Terminal): Promise<number> {
  const dashes = args.indexOf("--");
  const { values, positionals } = readArguments(dashes < 0 ? args : args.slice(0, dashes), OPTIONS);
  const [path, name, ...rest] = positionals;
  if (path === undefined || name === undefined || rest.length > 0)
    throw new WrongUsage("give one workflow file and one step");
  const work = workOf(
    {
      get: values.get,
      command: dashes < 0 ? null : args.slice(dashes + 1),
      retryOn: values["retry-on"],
      grace: values.grace,
    },
    values.json ? onStderr(terminal) : terminal,
  );
  const limits = await readLimits(path, name);
  const { result, interrupt } = await perform(work, limits, name, terminal);
  printRecord(result, values.json, work.recordTo, terminal);
  if (values.record !== undefined) await writeRecord(values.record, result);
  if (result.ok) return EXIT.ok;
  return interrupt === null ? work.failedExitCode() : signalExitCode(interrupt);
}

/** The limits of the step called `name`. As in the reference, unknown keys stop `validate` but not a run. */
async function readLimits(path: string, name: string): Promise<StepLimits> {
  const report = validate((await readWorkflow(path)).text);
  if (report.diagnostics.some(isLoaderError)) throw new Refusal(closingLines(report).join("\n"));
  return limitsOf(report, findStep(report, name));
}

async function perform({ attempt, program }: Work, limits: StepLimits, name: string, terminal: Terminal) {
  return untilInterrupted(
    async (signal) => {
      const result = await runStep(limits, attempt, {
        name,
        signal,
        hash: true,
        onEvent: (event) => printEvent(terminal, event),
      });
      // A program that was stopped may still be in its grace.
      await program?.settled();
      return result;
    },
    {
      first: (signal) => {
        if (program !== undefined) program.stopWith = signal;
      },
      again: () => program?.kill(),
    },
  );
}

function printRecord(result: StepResult, json: boolean, recordTo: "out" | "err", terminal: Terminal): void {
  if (json) {
    terminal.out(JSON.stringify(result.record, null, 2));
    return;
  }
  terminal.err("");
  for (const line of inspect(result.record).split("\n")) terminal[recordTo](line);
  if (result.error !== undefined) terminal[recordTo](`${result.error.code}: ${result.error.message}`);
}

async function writeRecord(path: string, { record }: StepResult): Promise<void> {
  try {
    await writeFile(path, `${JSON.stringify(record, null, 2)}\n`);
  } catch (error) {
    throw new Refusal(`Failed to write the record: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function onStderr(terminal: Terminal): Terminal {
  return { ...terminal, out: terminal.err, pass: (_to, text) => terminal.pass("err", text) };
}
