/**
 * Signals from outside while a step runs.
 *
 * @module
 */

const INTERRUPTS: readonly NodeJS.Signals[] =
  process.platform === "win32" ? ["SIGINT"] : ["SIGINT", "SIGTERM", "SIGHUP"];

/** What to do about signals. */
export interface InterruptHandlers {
  /** The first one came; the run's own signal fires after this. */
  first(signal: NodeJS.Signals): void;
  /** Another one came while the run was ending. */
  again(): void;
}

/** Does `work` with a signal that fires at the first interrupt, and says which interrupt that was. */
export async function untilInterrupted<T>(
  work: (signal: AbortSignal) => Promise<T>,
  handlers: InterruptHandlers,
): Promise<{ result: T; interrupt: NodeJS.Signals | null }> {
  const controller = new AbortController();
  let interrupt: NodeJS.Signals | null = null;
  const listen = (signal: NodeJS.Signals) => {
    if (interrupt !== null) return handlers.again();
    interrupt = signal;
    handlers.first(signal);
    controller.abort(new Error(`interrupted by ${signal}`));
  };
  for (const signal of INTERRUPTS) process.on(signal, listen);
  try {
    return { result: await work(controller.signal), interrupt };
  } finally {
    for (const signal of INTERRUPTS) process.off(signal, listen);
  }
}
