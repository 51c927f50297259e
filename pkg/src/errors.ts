/**
 * The two errors of the package: misuse of a function, and a step that did not succeed. Both are
 * recognised by a brand and their `code`, never by `instanceof`: two copies of the package may meet
 * in one program.
 *
 * @module
 */

import type { ExhaustedBy, StepErrorLike, StepRecord, StepRetryErrorCode } from "./types.js";

const MISUSE = Symbol.for("step-retry.error");
const STEP_FAILED = Symbol.for("step-retry.step-error");

/** A function of this package was given what it cannot use, or something inside it broke. */
export class StepRetryError extends Error {
  /** What is wrong; a value that a file would not be allowed to hold has the code it has there. */
  readonly code: StepRetryErrorCode;
  /** Keys and indexes from the argument to the value that is wrong, where there is one. */
  readonly path?: (string | number)[];
  /** What lies beneath, where something does. */
  override readonly cause?: unknown;

  constructor(
    code: StepRetryErrorCode,
    message: string,
    details: { path?: (string | number)[]; cause?: unknown } = {},
  ) {
    super(message);
    this.name = "StepRetryError";
    this.code = code;
    if (details.path !== undefined) this.path = details.path;
    if (details.cause !== undefined) this.cause = details.cause;
    brand(this, MISUSE);
  }
}

/** Whether `value` is a {@link StepRetryError}, from whichever copy of the package. */
export function isStepRetryError(value: unknown): value is StepRetryError {
  return isBranded(value, MISUSE);
}

/** The error for a module that could not be compiled: damaged bytes, or a host that does not let it. */
export function refused(cause: unknown, bytes?: ArrayBuffer | ArrayBufferView<ArrayBuffer>): StepRetryError {
  if (bytes !== undefined && !WebAssembly.validate(bytes)) {
    return new StepRetryError("INVALID_ARGUMENT", `these bytes are no WebAssembly module (${describe(cause)})`, {
      cause,
    });
  }
  return new StepRetryError(
    "WASM_BLOCKED",
    `this host refused to compile WebAssembly (${describe(cause)}). Under a Content-Security-Policy, add ` +
      "'wasm-unsafe-eval' to its script-src directive, as in: script-src 'self' 'wasm-unsafe-eval'. " +
      "Where modules must be imported, as on Cloudflare Workers, let the bundler use the condition 'workerd', " +
      "or give the module to initSync() of step-retry/slim",
    { cause },
  );
}

/** What was thrown, in words; it may be anything. */
export function describe(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } catch {
    return "something that cannot be shown";
  }
}

/** What a {@link StepError} is made from. */
export interface StepErrorInit {
  /** See {@link StepErrorLike.code}. */
  code: string;
  /** One sentence for people. */
  message: string;
  /** See {@link StepErrorLike.step}. */
  step: string;
  /** See {@link StepErrorLike.retryable}. */
  retryable: boolean;
  /** See {@link StepErrorLike.attempts}. */
  attempts: number;
  /** See {@link StepErrorLike.exhausted_by}. */
  exhausted_by?: ExhaustedBy | undefined;
  /** See {@link StepErrorLike.cause}. */
  cause?: unknown;
  /** See {@link StepErrorLike.record}. */
  record: StepRecord;
}

/** A step that did not succeed. */
export class StepError extends Error implements StepErrorLike {
  readonly code: string;
  readonly step: string;
  readonly retryable: boolean;
  readonly attempts: number;
  readonly exhausted_by?: ExhaustedBy;
  override readonly cause?: unknown;
  readonly record: StepRecord;

  constructor(init: StepErrorInit) {
    super(init.message);
    this.name = "StepError";
    this.code = init.code;
    this.step = init.step;
    this.retryable = init.retryable;
    this.attempts = init.attempts;
    if (init.exhausted_by !== undefined) this.exhausted_by = init.exhausted_by;
    if ("cause" in init) this.cause = init.cause;
    this.record = init.record;
    brand(this, STEP_FAILED);
  }
}

/** Whether `value` is the error of a step that did not succeed, from whichever copy of the package. */
export function isStepError(value: unknown): value is StepError {
  return isBranded(value, STEP_FAILED);
}

function brand(error: Error, mark: symbol): void {
  Object.defineProperty(error, mark, { value: true });
}

function isBranded(value: unknown, mark: symbol): boolean {
  return typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[mark] === true;
}
