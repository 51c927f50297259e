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
  succeed(now: number, output: string | undefined): boolean;
  fail(now: number, failure: Failure): boolean;
  timeout(now: number): void;
  lost(now: number): void;
  abort(now: number, reason: string | undefined): void;
  snapshot(): Snapshot;
  /** Lets its memory go. Nothing may be asked of it any more. */
  free(): void;
}

/** The glue of one instance, before and after it has its module. */
export interface Glue extends Omit<Border, "guard" | "memory"> {
  initSync(source: { module: WebAssembly.Module }): { memory: WebAssembly.Memory };
}

/** The exports of one instance. */
export interface Border {
  /** All ways into the instance. */
  readonly guard: Guard;
  /** The instance's memory; its `buffer` changes when it grows. */
  readonly memory: WebAssembly.Memory;
  /** Where `byteLength` bytes of text can be written, until the next call. */
  textBuffer(byteLength: number): number;
  /** Checks the first `byteLength` bytes of the text buffer. */
  validate(byteLength: number, strict: boolean, recover: boolean, limits: unknown): Report;
  plan(step: unknown, options: unknown): Plan;
  planRows(step: unknown, options: unknown): PlanRow[];
  /** Percentiles of the totals or, `byRow`, of a page's waits, as lists one after the other; see `src/wasm/plan.rs`. */
  percentiles(step: unknown, options: unknown, percents: Float64Array, byRow: boolean): Float64Array;
  delays(step: unknown, count: number): Float64Array;
  /** In the module of `step-retry/fleet` only, as `plans`. `stock` never throws. */
  simulateFleet(step: unknown, options: unknown, stock: RetryBudgetLike | undefined): FleetLoad;
  plans(steps: Float64Array): Float64Array;
  simulate(step: unknown, outcomes: unknown, options: unknown): RawResult;
  /** Runs a step on the host's timers; see `run/host.ts` for the other side. */
  runStep(step: unknown, options: unknown, host: object): Promise<RawResult>;
  readonly Run: {
    new (step: unknown, options: unknown): MachineHandle;
    restore(snapshot: unknown): MachineHandle;
  };
  exportPolicy(step: unknown, target: unknown, options: unknown): PolicyExport;
  importPolicy(source: unknown, value: unknown): PolicyImport;
  httpFailure(status: number, headers: HeaderReader, wallNow: number): Failure;
  parseRetryAfter(headers: HeaderReader, wallNow: number): number | undefined;
}

/** A set of headers as the core reads it. */
export interface HeaderReader {
  /** A header's value by its lower-case name. */
  get(name: string): string | undefined;
}
