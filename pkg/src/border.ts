/**
 * What the WebAssembly module exports: the other side of `src/wasm/`. Private to the package. The
 * core takes care of every argument and refuses with a plain object; see {@link Refusal}.
 *
 * @module
 */

import type { PolicyExport, PolicyImport } from "./export/types.js";
import type { Guard } from "./guard.js";
import type {
  Decision,
  ExhaustedBy,
  Failure,
  FleetLoad,
  Plan,
  PlanRow,
  Report,
  RetryBudgetLike,
  Snapshot,
  StepRecord,
} from "./types.js";

/** What an export throws when it cannot use an argument. */
export interface Refusal {
  code: string;
  message: string;
  path?: (string | number)[];
}

/** The end of a run, before its error becomes a `StepError`. */
export interface RawResult {
  ok: boolean;
  error?: {
    code: string;
    message: string;
    retryable: boolean;
    attempts: number;
    exhausted_by?: ExhaustedBy;
    /** The last failure, where the error is about more than it. */
    cause?: Failure;
  };
  record: StepRecord;
}

/** What the machine wants done, before its result has an `Error`. */
export type RawDecision = Exclude<Decision, { do: "done" }> | { do: "done"; result: RawResult };

/** One machine, behind a `StepRun`. */
export interface MachineHandle {
  next(now: number): RawDecision;
  begin(now: number): void;
  reportCost(cost: number): void;
  /** Of what became of the attempt, one of `ENDED`, and what belongs to that. Gives whether it counted. */
  report(kind: number, now: number, byteLength: number): boolean;
  snapshot(): Snapshot;
  /** Lets its memory go. Nothing may be asked of it any more. */
  free(): void;
}

/** The glue of one instance, before and after it has its module. */
export interface Glue extends Omit<Border, "guard" | "memory"> {
  initSync(module: WebAssembly.Module): { memory: WebAssembly.Memory };
}

/** The exports of one instance. Where they take a `byteLength`, so much of the text buffer holds their arguments; see `given.ts`. */
export interface Border {
  /** All ways into the instance. */
  readonly guard: Guard;
  /** The instance's memory; its `buffer` changes when it grows. */
  readonly memory: WebAssembly.Memory;
  /** Where `byteLength` bytes of text can be written, until the next call. */
  textBuffer(byteLength: number): number;
  /** Checks the source in the text buffer under the limits that are behind it, up to `end`. */
  validate(length: number, end: number, strict: boolean, recover: boolean): Report;
  /** Of options and a step, as all that follow. */
  plan(byteLength: number): Plan;
  planRows(byteLength: number): PlanRow[];
  /**
   * Of the percents too. Percentiles of the totals or, `byRow`, of a page's waits: for each whether it is
   * sampled, and its numbers.
   */
  percentiles(byteLength: number, byRow: boolean): [boolean, (number | null)[]][];
  delays(byteLength: number, count: number): Float64Array;
  /** In the module of `step-retry/fleet` only, as `plans`. `stock` never throws. */
  simulateFleet(byteLength: number, stock: RetryBudgetLike | undefined): FleetLoad;
  plans(steps: Float64Array): Float64Array;
  /** Of the outcomes too. */
  simulate(byteLength: number): RawResult;
  /** Runs a step on the host's timers; see `run/host.ts` for the other side. */
  runStep(byteLength: number, host: object): void;
  readonly Run: {
    new (byteLength: number): MachineHandle;
    /** Of a snapshot. */
    restore(byteLength: number): MachineHandle;
  };
  /** Of the target, options and a step. */
  exportPolicy(byteLength: number): PolicyExport;
  /** Of the source and its policy. */
  importPolicy(byteLength: number): PolicyImport;
  httpFailure(status: number, headers: HeaderReader, wallNow: number): Failure;
  parseRetryAfter(headers: HeaderReader, wallNow: number): number | undefined;
}

/** A set of headers as the core reads it. */
export interface HeaderReader {
  /** Writes a header's value, by its lower-case name, into the text buffer. Gives its length in bytes, or -1 where there is none. */
  get(name: string): number;
}
