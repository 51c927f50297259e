/**
 * What the WebAssembly module exports: the other side of `src/wasm/`. Private to the package. The
 * core takes care of every argument and refuses with a plain object; see {@link Refusal}.
 *
 * @module
 */

import type { Plan, PlanRow, Report, StepRecord } from "./types.js";

/** What an export throws when it cannot use an argument. */
export interface Refusal {
  code: string;
  message: string;
  path?: (string | number)[];
}

/** The end of a run, before its error becomes a `StepError`. */
export interface RawResult {
  ok: boolean;
  value?: unknown;
  error?: { code: string; message: string; step: string; retryable: boolean; attempts: number; exhausted_by?: StepRecord["exhausted_by"] };
  record: StepRecord;
}

/** The glue of one instance, before and after it has its module. */
export interface Glue extends Omit<Border, "memory"> {
  initSync(source: { module: WebAssembly.Module }): { memory: WebAssembly.Memory };
}

/** The exports of one instance. */
export interface Border {
  /** The instance's memory; its `buffer` changes when it grows. */
  readonly memory: WebAssembly.Memory;
  /** Where `byteLength` bytes of text can be written, until the next call. */
  textBuffer(byteLength: number): number;
  /** Checks the first `byteLength` bytes of the text buffer. */
  validate(byteLength: number, strict: boolean, recover: boolean): Report;
  plan(step: unknown, options: unknown): Plan;
  planRows(step: unknown, options: unknown): PlanRow[];
  delays(step: unknown, count: number): Float64Array;
  simulate(step: unknown, outcomes: unknown, options: unknown): RawResult;
}
