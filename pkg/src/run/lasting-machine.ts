/**
 * A machine that outlives its instance. Should the module break, the next call makes it anew on the next
 * instance: from its last snapshot, and what it has been told since then.
 *
 * @module
 */

import type { Border, MachineHandle } from "../border.js";
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

export class LastingMachine {
  /** Makes the machine anew, as it was before it was told what is in `#told`. */
  #make: (border: Border) => MachineHandle;
  #machine: MachineHandle;
  #home: Border;
  /** When it was told what, as the texts that went over the border: the caller may change theirs. */
  #told: [nowMs: number, text: string][] = [];
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

  /** Tells the machine what has happened at `nowMs`, or asks for what to do. */
  tell(word: string, nowMs: number, more?: unknown): unknown {
    return call((border) => {
      const text = given(word) + given(more);
      const machine = this.#on(border);
      const answer = machine.tell(nowMs, write(border, text));
      this.#told.push([nowMs, text]);
      if (this.#told.length >= this.#most) this.#keep();
      return answer;
    });
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

  /** The machine on the instance that is in use. */
  #on(border: Border): MachineHandle {
    if (this.#freed)
      throw new StepRetryError("WRONG_STATE", "this StepRun has been freed: nothing can be asked of it any more");
    if (border !== this.#home) {
      const machine = this.#make(border);
      for (const [nowMs, text] of this.#told) machine.tell(nowMs, write(border, text));
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
