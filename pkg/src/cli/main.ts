#!/usr/bin/env node
/**
 * The `step-retry` command.
 *
 * @module
 */

import { version } from "../index.js";
import { EXIT, Refusal, WrongUsage } from "./exit.js";
import { EXPORT_HELP, exportCommand } from "./export.js";
import { PLAN_HELP, planCommand } from "./plan.js";
import { RUN_HELP, runCommand } from "./run.js";
import { processTerminal, type Terminal } from "./terminal.js";
import { VALIDATE_HELP, validateCommand } from "./validate.js";

const HELP = `The retry and timeout rules of workflow files: check them, plan them, run them.

Usage: step-retry COMMAND [options]

Commands:
  validate PATH...   What is wrong with workflow files
  plan FILE [STEP]   What the retries will do
  run FILE STEP      Run a step under its own limits
  export FILE STEP   The retries of a step for another engine

Options:
  --help     This text, or with a command, its own
  --version  The version`;

interface Command {
  help: string;
  run(args: string[], terminal: Terminal): Promise<number>;
}

const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ["validate", { help: VALIDATE_HELP, run: validateCommand }],
  ["plan", { help: PLAN_HELP, run: planCommand }],
  ["run", { help: RUN_HELP, run: runCommand }],
  ["export", { help: EXPORT_HELP, run: exportCommand }],
]);

async function main([name, ...args]: string[], terminal: Terminal): Promise<number> {
  if (name === "--version") return say(version().version, terminal);
  if (name === "--help" || name === "-h" || name === "help") return say(HELP, terminal);
  const command = COMMANDS.get(name ?? "");
  if (command === undefined)
    throw new WrongUsage(name === undefined ? "which command?" : `there is no command '${name}'`);
  return wantsHelp(args) ? say(command.help, terminal) : command.run(args, terminal);
}

function wantsHelp(args: string[]): boolean {
  const own = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  return own.includes("--help") || own.includes("-h");
}

function say(text: string, terminal: Terminal): number {
  terminal.out(text);
  return EXIT.ok;
}

/** One line for whatever went wrong, and the exit code that says whose fault it was. */
function report(error: unknown, name: string | undefined, terminal: Terminal): number {
  if (error instanceof WrongUsage) {
    const command = COMMANDS.has(name ?? "") ? `step-retry ${name}` : "step-retry";
    terminal.err(`${command}: ${error.message}; '${command} --help' says how.`);
    return EXIT.usage;
  }
  terminal.err(error instanceof Refusal ? error.message : unexpected(error));
  return EXIT.failed;
}

function unexpected(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "INTERNAL";
  return `${code}: ${error instanceof Error ? error.message : String(error)}`;
}

const terminal = processTerminal();
const args = process.argv.slice(2);
// A reader that has seen enough, such as `head`, is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});
// The exit code is set, not forced, so that a slow pipe still gets all of the output.
process.exitCode = await main(args, terminal).catch((error: unknown) => report(error, args[0], terminal));
