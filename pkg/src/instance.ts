/**
 * The one WebAssembly instance behind all functions: made at the first call, left behind when it
 * breaks. Importing this does nothing.
 *
 * @module
 */

import { createGlue } from "step-retry:glue";
import type { Border, Glue, Refusal } from "./border.js";
import { describe, isStepRetryError, refused, StepRetryError } from "./errors.js";
import { enter, Guard, isFault } from "./guard.js";

/** Each entry has said it before the first call. */
let provider: () => WebAssembly.Module;
let compiled: WebAssembly.Module | undefined;
let border: Border | undefined;

/** Says where the module comes from, should it be needed. */
export function provideModule(from: () => WebAssembly.Module): void {
  provider = from;
}

/** Takes a module that is compiled already. A second one changes nothing. */
export function useModule(module: WebAssembly.Module): void {
  compiled ??= module;
}

/** Whether there is a compiled module. */
export function isReady(): boolean {
  return compiled !== undefined;
}

/**
 * Calls into the module.
 *
 * @throws {@link StepRetryError} for what the core refuses; `INTERNAL` when the module broke, after which
 * the next call works on a new instance.
 */
export function call<T>(use: (border: Border) => T): T {
  border ??= instantiate();
  const used = border;
  try {
    return enter(() => use(used));
  } catch (thrown) {
    throw translate(thrown);
  }
}

/** Compiles what `from` gives, and says what to change where the host forbids it. */
export function compile(from: () => BufferSource): WebAssembly.Module {
  if (typeof WebAssembly !== "object") {
    throw new StepRetryError("WASM_BLOCKED", "this host has no WebAssembly, which step-retry is made of");
  }
  let bytes: BufferSource | undefined;
  try {
    bytes = from();
    return new WebAssembly.Module(bytes);
  } catch (cause) {
    throw refused(cause, bytes);
  }
}

/** The error for what a call into the module threw. */
export function translate(thrown: unknown): StepRetryError {
  if (isStepRetryError(thrown)) return thrown;
  if (isRefusal(thrown)) {
    return new StepRetryError(thrown.code, thrown.message, thrown.path === undefined ? {} : { path: thrown.path });
  }
  if (isFault(thrown)) return internal(thrown);
  // The caller's own code threw right through the module, and left it untidy.
  border = undefined;
  return new StepRetryError("INVALID_ARGUMENT", `an argument could not be read (${describe(thrown)})`, {
    cause: thrown,
  });
}

/** The error for a fault inside the module. */
export function internal(cause: unknown): StepRetryError {
  const message = `a fault inside step-retry (${describe(cause)}); the next call starts afresh`;
  return new StepRetryError("INTERNAL", message, { cause });
}

function instantiate(): Border {
  compiled ??= provider();
  const guard = new Guard(() => {
    if (border === made) border = undefined;
  });
  const glue = createGlue(guard.host) as Glue;
  const { memory } = glue.initSync(compiled);
  const made: Border = { ...glue, memory, guard };
  return made;
}

function isRefusal(thrown: unknown): thrown is Refusal {
  if (typeof thrown !== "object" || thrown === null || thrown instanceof Error) return false;
  const { code, message } = thrown as Partial<Refusal>;
  return typeof code === "string" && typeof message === "string";
}
