/**
 * What the command writes to, and what that can show.
 *
 * @module
 */

import type { WriteStream } from "node:tty";

/** A stretch of a line in one style. */
export interface Styled {
  text: string;
  style: Style;
}

/** How a stretch stands out, where colour may be used. */
export type Style = "bold" | "dim" | "red" | "yellow" | "green" | "blue";

/** What a line is made of. */
export type Line = string | readonly (string | Styled)[];

/** Where a command's words go. Results are for `out`, everything said on the way for `err`. */
export interface Terminal {
  /** Writes a line to stdout. */
  out(line: Line): void;
  /** Writes a line to stderr. */
  err(line: Line): void;
  /** Writes `text` to stdout or stderr as it is: texts that are meant for another program. */
  pass(to: "out" | "err", text: string): void;
  /** Columns to draw in. */
  columns: number;
  /** Whether a person is looking: source excerpts are then shown under each problem. */
  interactive: boolean;
  /** Whether to keep to ASCII. */
  ascii: boolean;
}

/** Columns where the output is no terminal. */
const DEFAULT_COLUMNS = 80;
/** A chart wider than this is no easier to read. */
const MOST_COLUMNS = 120;

/** The terminal of this process. `FORCE_COLOR` makes any output count as one, `NO_COLOR` takes the colour away. */
export function processTerminal(env: NodeJS.ProcessEnv = process.env): Terminal {
  const forced = isSet(env.FORCE_COLOR) && env.FORCE_COLOR !== "0";
  const interactive = forced || (isTerminal(process.stdout) && isTerminal(process.stderr));
  const color = interactive && !isSet(env.NO_COLOR) && env.TERM !== "dumb";
  return {
    out: (line) => void process.stdout.write(`${render(line, color)}\n`),
    err: (line) => void process.stderr.write(`${render(line, color)}\n`),
    pass: (to, text) => void (to === "out" ? process.stdout : process.stderr).write(text),
    // Some terminals do not know their width and say 0.
    columns: Math.min(process.stdout.columns || DEFAULT_COLUMNS, MOST_COLUMNS),
    interactive,
    ascii: keepsToAscii(env),
  };
}

function isSet(variable: string | undefined): boolean {
  return variable !== undefined && variable !== "";
}

function isTerminal(stream: Partial<WriteStream>): boolean {
  return stream.isTTY === true;
}

function keepsToAscii(env: NodeJS.ProcessEnv): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || "UTF-8";
  return env.TERM === "dumb" || env.TERM === "linux" || !/utf-?8/i.test(locale);
}

const SEQUENCES: Record<Style, number> = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34 };

function render(line: Line, color: boolean): string {
  if (typeof line === "string") return printable(line);
  return line.map((piece) => (typeof piece === "string" ? printable(piece) : renderStyled(piece, color))).join("");
}

function renderStyled({ text, style }: Styled, color: boolean): string {
  return color ? `\x1b[${SEQUENCES[style]}m${printable(text)}\x1b[0m` : printable(text);
}

/** `text` with control characters spelled out: a file's words must not steer the reader's terminal. */
export function printable(text: string): string {
  return text.replace(/[^\P{Cc}\t\n]/gu, (control) => `\\x${control.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
