/**
 * What an attempt of `step-retry run` does: an HTTP GET, or a program.
 *
 * @module
 */

import type { AttemptContext } from "../types.js";
import { wholeNumber } from "./arguments.js";
import { EXIT, WrongUsage } from "./exit.js";
import { httpGet } from "./http.js";
import { Program } from "./program.js";
import type { Terminal } from "./terminal.js";

/** What the command line says about the work, as it was written. */
export interface WorkSettings {
  get: string | undefined;
  /** What stands after `--`; `null` where there is no `--`. */
  command: readonly string[] | null;
  retryOn: string;
  grace: string;
}

/** Something that can be attempted. */
export interface Work {
  attempt(context: AttemptContext): Promise<unknown>;
  /** The command's exit code when the step has failed. */
  failedExitCode(): number;
  /** Where the record goes when nothing else is asked for. */
  recordTo: "out" | "err";
  /** The program behind it, if there is one. */
  program?: Program;
}

/**
 * The work that `settings` ask for; a program's output goes to `terminal`.
 *
 * @throws {WrongUsage} when they ask for none, for both, or in a way that cannot be read.
 */
export function workOf({ get, command, retryOn, grace }: WorkSettings, terminal: Terminal): Work {
  const options = { retryOn: exitCodes(retryOn), graceMs: wholeNumber("--grace", grace) };
  if (get !== undefined && command !== null) throw new WrongUsage("give either --get or a program, not both");
  if (get !== undefined) return getting(httpUrl(get));
  const [file, ...args] = command ?? [];
  if (file === undefined) throw new WrongUsage("say what to run: --get URL, or -- and a program");
  return starting(new Program({ command: [file, ...args], ...options }, terminal));
}

function getting(url: URL): Work {
  return { attempt: httpGet(url), failedExitCode: () => EXIT.failed, recordTo: "out" };
}

function starting(program: Program): Work {
  return {
    attempt: (context) => program.attempt(context),
    failedExitCode: () => program.exitCode ?? EXIT.timedOut,
    // The program's own output has stdout to itself.
    recordTo: "err",
    program,
  };
}

function httpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw new WrongUsage(`--get takes an http or https address, not '${text}'`);
}

const HIGHEST_EXIT_CODE = 255;

function exitCodes(text: string): ReadonlySet<number> {
  const codes = text.split(",").map((code) => wholeNumber("--retry-on", code.trim()));
  const tooHigh = codes.find((code) => code > HIGHEST_EXIT_CODE);
  if (tooHigh === undefined) return new Set(codes);
  throw new WrongUsage(`--retry-on takes exit codes up to ${HIGHEST_EXIT_CODE}, not ${tooHigh}`);
}
