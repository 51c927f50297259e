/**
 * `step-retry run`: a step of a workflow file, run under its own limits.
 *
 * @module
 */

import { writeFile } from "node:fs/promises";
import { runStep, validate } from "../index.js";
import type { AttemptContext, StepLimits, StepResult } from "../types.js";
import { readArguments, wholeNumber } from "./arguments.js";
import { EXIT, Refusal, signalExitCode, WrongUsage } from "./exit.js";
import { readWorkflow } from "./files.js";
import { httpGet } from "./http.js";
import { untilInterrupted } from "./interrupts.js";
import { Program } from "./program.js";
import { printEvent } from "./progress.js";
import { inspect } from "./record-text.js";
import { closingLines, isLoaderError } from "./report-text.js";
import { findStep, limitsOf } from "./steps.js";
import type { Terminal } from "./terminal.js";

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

const HIGHEST_EXIT_CODE = 255;

/** Something that can be attempted, and what the command's exit code is when it fails. */
interface Work {
  attempt(context: AttemptContext): Promise<unknown>;
  failedExitCode(result: StepResult): number;
  /** Where the record goes when nothing else is asked for. */
  recordTo: "out" | "err";
  /** The program behind it, if there is one. */
  program?: Program;
}

/** Runs the command and returns its exit code. */
export async function runCommand(args: string[], terminal: Terminal): Promise<number> {
  const dashes = args.indexOf("--");
  const { values, positionals } = readArguments(dashes < 0 ? args : args.slice(0, dashes), OPTIONS);
  const [path, name, ...rest] = positionals;
  if (path === undefined || name === undefined || rest.length > 0)
    throw new WrongUsage("give one workflow file and one step");
  const programSettings = { retryOn: exitCodes(values["retry-on"]), graceMs: wholeNumber("--grace", values.grace) };
  const work = workOf(
    values.get,
    dashes < 0 ? null : args.slice(dashes + 1),
    programSettings,
    values.json ? onStderr(terminal) : terminal,
  );
  const limits = await readLimits(path, name);
  const { result, interrupt } = await perform(work, limits, name, terminal);
  printRecord(result, values.json, work.recordTo, terminal);
  if (values.record !== undefined) await writeRecord(values.record, result);
  if (result.ok) return EXIT.ok;
  return interrupt === null ? work.failedExitCode(result) : signalExitCode(interrupt);
}

function exitCodes(text: string): ReadonlySet<number> {
  const codes = text.split(",").map((code) => wholeNumber("--retry-on", code.trim()));
  const tooHigh = codes.find((code) => code > HIGHEST_EXIT_CODE);
  if (tooHigh !== undefined)
    throw new WrongUsage(`--retry-on takes exit codes up to ${HIGHEST_EXIT_CODE}, not ${tooHigh}`);
  return new Set(codes);
}

function workOf(
  get: string | undefined,
  command: string[] | null,
  settings: { retryOn: ReadonlySet<number>; graceMs: number },
  terminal: Terminal,
): Work {
  if (get !== undefined && command !== null) throw new WrongUsage("give either --get or a program, not both");
  if (get !== undefined) return getting(httpUrl(get));
  const [file, ...args] = command ?? [];
  if (file === undefined) throw new WrongUsage("say what to run: --get URL, or -- and a program");
  return starting(new Program({ command: [file, ...args], ...settings }, terminal));
}

function getting(url: URL): Work {
  return { attempt: (context) => httpGet(url, context), failedExitCode: () => EXIT.failed, recordTo: "out" };
}

function starting(program: Program): Work {
  // A program's own output has stdout to itself.
  return {
    attempt: (context) => program.attempt(context),
    failedExitCode: () => program.exitCode ?? EXIT.timedOut,
    recordTo: "err",
    program,
  };
}

function httpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:")
    throw new WrongUsage(`--get takes an http or https address, not '${text}'`);
  return url;
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
  for (const line of inspect(result.record)) terminal[recordTo](line);
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
