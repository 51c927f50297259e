/**
 * A machine that outlives its instance. Should the module break, the next call makes it anew on the next
 * instance: from its last snapshot, and what it has been told since then.
 *
 * @module
 */

import type { Border, MachineHandle, RawDecision } from "../border.js";
import { StepRetryError } from "../errors.js";
import { given, givenOptions, givenStep, write } from "../given.js";
import { call } from "../instance.js";
import type { Json, Snapshot, StepLimits, StepRunOptions } from "../types.js";

/**
 * A snapshot is as long as the record: made after so many calls, and so many more for each attempt, it
 * costs a call little, however long the run.
 */
const CALLS = 32;
const CALLS_PER_ATTEMPT = 4;

/** Tells a machine what has happened, or asks what to do. */
type Telling<T> = (machine: MachineHandle, border: Border) => T;

export class LastingMachine {
  /** Makes the machine anew, as it was before it was told what is in `#told`. */
  #make: (border: Border) => MachineHandle;
  #machine: MachineHandle;
  #home: Border;
  #told: Telling<unknown>[] = [];
  #most = CALLS;
  #freed = false;

  private constructor(border: Border, make: (border: Border) => MachineHandle) {
    this.#make = make;
    this.#home = border;
    this.#machine = make(border);
  }

  /** A run that has not begun. */
  static begin(step: StepLimits, options: StepRunOptions): LastingMachine {
    return call((border) => {
      const asked = givenOptions(options) + givenStep(step);
      return new LastingMachine(border, (border) => new border.Run(write(border, asked)));
    });
  }

  /** A run as its snapshot left it. */
  static restore(snapshot: Snapshot): LastingMachine {
    return call((border) => new LastingMachine(border, from(snapshot)));
  }

  next(nowMs: number): RawDecision {
    return this.#tell((machine) => machine.next(nowMs));
  }

  begin(nowMs: number): void {
    this.#tell((machine) => machine.begin(nowMs));
  }

  reportCost(cost: number): void {
    this.#tell((machine) => machine.reportCost(cost));
  }

  /** Reports what became of the attempt, one of `ENDED`, and what belongs to that. Gives whether it counted. */
  report(kind: number, nowMs: number, more?: unknown): boolean {
    // As the text that goes over the border: the caller may change theirs.
    const text = given(more);
    return this.#tell((machine, border) => machine.report(kind, nowMs, write(border, text)));
  }

  snapshot(): Snapshot {
    return call((border) => this.#on(border).snapshot());
  }

  /** Lets the machine's memory go, on the instance that is in use; one that broke is gone with all of its own. */
  free(): void {
    if (this.#freed) return;
    call((border) => {
      if (border === this.#home) this.#machine.free();
    });
    this.#freed = true;
    this.#told = [];
  }

  #tell<T>(tell: Telling<T>): T {
    return call((border) => {
      const answer = tell(this.#on(border), border);
      this.#told.push(tell);
      if (this.#told.length >= this.#most) this.#keep();
      return answer;
    });
  }

  /** The machine on the instance that is in use. */
  #on(border: Border): MachineHandle {
    if (this.#freed)
      throw new StepRetryError("WRONG_STATE", "this StepRun has been freed: nothing can be asked of it any more");
    if (border !== this.#home) {
      const machine = this.#make(border);
      for (const tell of this.#told) tell(machine, border);
      this.#machine = machine;
      this.#home = border;
    }
    return this.#machine;
  }

  #keep(): void {
    const snapshot = this.#machine.snapshot();
    this.#make = from(snapshot);
    this.#told = [];
    this.#most = CALLS + CALLS_PER_ATTEMPT * (snapshot.attempts as Json[]).length;
  }
}

function from(snapshot: Snapshot): (border: Border) => MachineHandle {
  const text = given(snapshot);
  return (border) => border.Run.restore(write(border, text));
}
