/**
 * An attempt that is a program: started anew for each attempt, ended with its whole process group.
 *
 * @module
 */

import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import type { AttemptContext, Failure } from "../types.js";
import { signalExitCode } from "./exit.js";
import type { Terminal } from "./terminal.js";

/** What is run, and how. */
export interface ProgramOptions {
  /** The program and its arguments; no shell is between. */
  command: readonly [string, ...string[]];
  /** Exit codes after which another attempt can help. */
  retryOn: ReadonlySet<number>;
  /** How long a program that was asked to end may take before it is killed, in ms. */
  graceMs: number;
}

/** What a program came back with. */
export interface ProgramOutput {
  exit: 0;
}

/** Whether the system has process groups. */
const HAS_GROUPS = process.platform !== "win32";
/** How a program that was not started ends, in the words of shells: not found, not executable. */
const NOT_STARTED: Record<string, number> = { ENOENT: 127, EACCES: 126 };
const OTHERWISE_NOT_STARTED = 126;
/** Runs a program once for each attempt. */
export class Program {
  /** How the last attempt that ended of itself ended, as an exit code of our own; `null` where it was stopped. */
  exitCode: number | null = null;
  /** The signal that ends the program when its attempt is stopped. */
  stopWith: NodeJS.Signals = "SIGTERM";

  readonly #options: ProgramOptions;
  readonly #terminal: Terminal;
  readonly #running = new Set<{ child: ChildProcess; gone: Promise<unknown> }>();

  constructor(options: ProgramOptions, terminal: Terminal) {
    this.#options = options;
    this.#terminal = terminal;
  }

  /** One attempt. Rejects with a {@link Failure} when the program fails. */
  async attempt({ attempt, maxAttempts, signal }: AttemptContext): Promise<ProgramOutput> {
    this.exitCode = null;
    const [file, ...args] = this.#options.command;
    // A group of its own, so that what the program starts ends with it. It gets no input: a second attempt would find it read.
    const child = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"], detached: HAS_GROUPS });
    const ended = end(child);
    const running = { child, gone: ended };
    this.#running.add(running);
    void ended.then(() => this.#running.delete(running));
    const stop = () => void this.#stop(child, ended);
    signal.addEventListener("abort", stop, { once: true });
    this.#passOn(child.stdout, "out", `[${attempt}/${maxAttempts}] `);
    this.#passOn(child.stderr, "err", `[${attempt}/${maxAttempts}] `);
    const how = await ended;
    signal.removeEventListener("abort", stop);
    if (!signal.aborted) this.exitCode = exitCode(how);
    if (how.code === 0) return { exit: 0 };
    throw this.#failure(file, how);
  }

  /** Settles when no program is left running. */
  async settled(): Promise<void> {
    await Promise.all(Array.from(this.#running, ({ gone }) => gone));
  }

  /** Kills whatever is left running, without asking. */
  kill(): void {
    for (const { child } of this.#running) signalGroup(child, "SIGKILL");
  }

  async #stop(child: ChildProcess, ended: Promise<Ending>): Promise<void> {
    signalGroup(child, this.stopWith);
    const kill = setTimeout(() => signalGroup(child, "SIGKILL"), this.#options.graceMs);
    await ended;
    clearTimeout(kill);
    // Its first process has ended; others of its group may be deaf to the signal.
    signalGroup(child, "SIGKILL");
  }

  /** Passes whole lines on, so that those of two attempts never mix. */
  #passOn(from: Readable, to: "out" | "err", prefix: string): void {
    let rest = "";
    from.setEncoding("utf8");
    from.on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#terminal.pass(to, `${prefix}${line}\n`);
    });
    from.on("end", () => {
      if (rest !== "") this.#terminal.pass(to, `${prefix}${rest}\n`);
    });
  }

  #failure(file: string, how: Ending): Failure {
    if (how.error !== undefined)
      return {
        code: "PROGRAM_NOT_STARTED",
        message: `'${file}' cannot be started: ${how.error.message}`,
        retryable: false,
      };
    if (how.signal !== null)
      return { code: "PROGRAM_KILLED", message: `'${file}' was ended by ${how.signal}`, retryable: false };
    return {
      code: "PROGRAM_FAILED",
      message: `'${file}' exited with ${how.code}`,
      retryable: this.#options.retryOn.has(how.code ?? 0),
    };
  }
}

/** How a program ended: with a code, by a signal, or not started at all. */
interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
  error?: NodeJS.ErrnoException;
}

function end(child: ChildProcess): Promise<Ending> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve({ code: null, signal: null, error }));
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
}

function exitCode({ code, signal, error }: Ending): number {
  if (error !== undefined) return NOT_STARTED[error.code ?? ""] ?? OTHERWISE_NOT_STARTED;
  return signal === null ? (code ?? 1) : signalExitCode(signal);
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (HAS_GROUPS) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // The group is gone already, which is what was wanted.
  }
}
