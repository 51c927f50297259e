/**
 * A machine that outlives its instance. Should the module break, the next call makes it anew on the next
 * instance: from its last snapshot, and what it has been told since then.
 *
 * @module
 */

import type { Border, MachineHandle } from "../border.js";
import { StepRetryError } from "../errors.js";
import { call } from "../instance.js";
import type { Json, Snapshot, StepLimits, StepRunOptions } from "../types.js";

/** Something that a machine is told or asked. */
export type Call = (machine: MachineHandle) => unknown;

/**
 * A snapshot is as long as the record: made after so many calls, and so many more for each attempt, it
 * costs a call little, however long the run.
 */
const CALLS = 32;
const CALLS_PER_ATTEMPT = 4;

export class LastingMachine {
  private machine: MachineHandle;
  private home: Border;
  private told: Call[] = [];
  private most = CALLS;
  private freed = false;

  private constructor(
    border: Border,
    private source: (border: Border) => MachineHandle,
  ) {
    this.home = border;
    this.machine = source(border);
  }

  /** A run that has not begun. */
  static begin(step: StepLimits, options: StepRunOptions): LastingMachine {
    return call((border) => {
      const made = new LastingMachine(border, (border) => new border.Run(step, options));
      // The caller may change theirs afterwards.
      const { timeout_seconds, idempotent, retry } = step;
      const own = { timeout_seconds, idempotent, retry: isObject(retry) ? { ...retry } : retry };
      made.source = (border) => new border.Run(own, options);
      return made;
    });
  }

  /** A run as its snapshot left it. */
  static restore(snapshot: Snapshot): LastingMachine {
    return call((border) => {
      const made = new LastingMachine(border, (border) => border.Run.restore(snapshot));
      made.keep();
      return made;
    });
  }

  /**
   * Tells or asks the machine.
   *
   * @param kept Gives what to tell it should it be made anew, where that is not `use` itself.
   */
  tell<R>(use: (machine: MachineHandle) => R, kept: () => Call = () => use): R {
    return call((border) => {
      const given = use(this.on(border));
      this.told.push(kept());
      if (this.told.length >= this.most) this.keep();
      return given;
    });
  }

  snapshot(): Snapshot {
    return call((border) => this.on(border).snapshot());
  }

  /** Lets the machine's memory go, on the instance that is in use; one that broke is gone with all of its own. */
  free(): void {
    if (this.freed) return;
    call((border) => {
      if (border === this.home) this.machine.free();
    });
    this.freed = true;
    this.told = [];
  }

  /** The machine on the instance that is in use. */
  private on(border: Border): MachineHandle {
    if (this.freed)
      throw new StepRetryError("WRONG_STATE", "this StepRun has been freed: nothing can be asked of it any more");
    if (border !== this.home) {
      const machine = this.source(border);
      for (const use of this.told) use(machine);
      this.machine = machine;
      this.home = border;
    }
    return this.machine;
  }

  private keep(): void {
    const snapshot = this.machine.snapshot();
    this.source = (border) => border.Run.restore(snapshot);
    this.told = [];
    this.most = CALLS + CALLS_PER_ATTEMPT * (snapshot.attempts as Json[]).length;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
