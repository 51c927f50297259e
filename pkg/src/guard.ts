/**
 * All ways into one instance. A fault is seen here wherever it happens, in a timer of the driver too;
 * after it nothing goes into the instance any more, and what depended on it hears of it.
 *
 * @module
 */

type Timer = ReturnType<typeof setTimeout>;
type Call = (...given: unknown[]) => unknown;

/** What the glue has instead of the globals of these names, and its way round the exports. */
export interface GlueHost {
  guard(exports: WebAssembly.Exports): WebAssembly.Exports;
  queueMicrotask(run: () => void): void;
  setTimeout(run: () => void, ms: number): Timer;
  clearTimeout(timer: Timer): void;
}

/** What a broken instance gives: to the glue, several results of which none is an error. */
const NOTHING: unknown[] = [];

/** How many calls of ours are in some instance, one inside the other. */
let inside = 0;

/** Makes a call from here: who makes it catches what it throws. */
export function enter<T>(call: () => T): T {
  inside += 1;
  try {
    return call();
  } finally {
    inside -= 1;
  }
}

/** Whether a call was cut off somewhere inside the module: what it left in memory cannot be trusted. */
export function isFault(thrown: unknown): boolean {
  return thrown instanceof WebAssembly.RuntimeError || thrown instanceof RangeError;
}

/** The guard of one instance. */
export class Guard {
  /** For the glue. */
  readonly host: GlueHost = {
    guard: (exports) =>
      Object.fromEntries(
        Object.entries(exports).map(([name, it]) => [name, typeof it === "function" ? this.#guarded(it as Call) : it]),
      ),
    // The global one is among what test runners fake; a run must go on all the same.
    queueMicrotask: (run) => void Promise.resolve().then(run),
    setTimeout: (run, ms) => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        run();
      }, ms);
      this.#timers.add(timer);
      return timer;
    },
    clearTimeout: (timer) => {
      this.#timers.delete(timer);
      clearTimeout(timer);
    },
  };

  #broken = false;
  readonly #timers = new Set<Timer>();
  readonly #dependents = new Set<(fault: unknown) => void>();

  /** @param onFault Hears of a fault before all others. */
  constructor(onFault: (fault: unknown) => void) {
    this.#dependents.add(onFault);
  }

  /** What `running` comes to; should the instance break before, it rejects with what `onFault` makes of that. */
  during<T>(running: Promise<T>, onFault: (fault: unknown) => unknown): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const end = (fault: unknown): void => reject(onFault(fault));
      const done = (): boolean => this.#dependents.delete(end);
      this.#dependents.add(end);
      running.then(
        (value) => {
          done();
          resolve(value);
        },
        (thrown) => {
          done();
          reject(thrown);
        },
      );
    });
  }

  #guarded(call: Call): Call {
    return (...given) => {
      if (this.#broken) return NOTHING;
      try {
        return call(...given);
      } catch (thrown) {
        if (isFault(thrown)) this.#break(thrown);
        // A timer's call has nobody to catch anything.
        if (this.#broken && inside === 0) return NOTHING;
        throw thrown;
      }
    };
  }

  #break(fault: unknown): void {
    this.#broken = true;
    for (const timer of this.#timers) clearTimeout(timer);
    for (const end of this.#dependents) end(fault);
    this.#timers.clear();
    this.#dependents.clear();
  }
}
