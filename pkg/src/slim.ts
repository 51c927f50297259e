/**
 * The entry without the bytes: the caller says where `step-retry/step_retry.wasm` is.
 *
 * @module
 */

import { refused, StepRetryError } from "./errors.js";
import { compile, isReady, provideModule, useModule } from "./instance.js";
import type { ResponseLike, WasmSource } from "./types.js";

export * from "./exports.js";

provideModule(() => {
  throw new StepRetryError(
    "WRONG_STATE",
    "step-retry/slim has no module yet: call init() or initSync() with the bytes of step-retry/step_retry.wasm first",
  );
});

/**
 * Gets the module ready, as in `await init(fetch(url))`. Further calls change nothing; one that failed can
 * be repeated.
 *
 * @throws `StepRetryError` with `INVALID_ARGUMENT` for a source that is none, `WASM_BLOCKED` where the
 * host does not let it be compiled.
 */
export async function init(source?: WasmSource | PromiseLike<WasmSource>): Promise<void> {
  if (isReady()) return;
  const given = await source;
  useModule(isResponse(given) ? await fromResponse(given) : fromBytes(given));
}

/** As {@link init}, from bytes or a module that are there already. */
export function initSync(source?: WasmSource): void {
  if (!isReady()) useModule(fromBytes(source));
}

async function fromResponse(response: ResponseLike): Promise<WebAssembly.Module> {
  if (!response.ok) {
    throw new StepRetryError("INVALID_ARGUMENT", `the module could not be fetched: HTTP status ${response.status}`);
  }
  const bytes = canStream(response) ? undefined : await response.arrayBuffer();
  try {
    return await (bytes === undefined
      ? WebAssembly.compileStreaming(response as Response)
      : WebAssembly.compile(bytes));
  } catch (cause) {
    throw refused(cause, bytes);
  }
}

// The platform compiles while it downloads only its own responses, and only under this content type.
function canStream(response: ResponseLike): boolean {
  const streams = typeof Response === "function" && typeof WebAssembly.compileStreaming === "function";
  return streams && response instanceof Response && response.headers.get("content-type") === "application/wasm";
}

function fromBytes(source: unknown): WebAssembly.Module {
  if (source instanceof WebAssembly.Module) return source;
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return compile(() => source as BufferSource);
  throw new StepRetryError(
    "INVALID_ARGUMENT",
    "'source' must be the bytes of step-retry/step_retry.wasm, a WebAssembly.Module made from them, or (for init) a response",
    { path: ["source"] },
  );
}

function isResponse(value: unknown): value is ResponseLike {
  return (
    typeof value === "object" && value !== null && typeof (value as Partial<ResponseLike>).arrayBuffer === "function"
  );
}
