// What `build.mjs` puts into the bundles.

declare module "step-retry:glue" {
  /**
   * wasm-bindgen's glue, as a function: each call has state of its own, so a broken instance can be
   * left behind. What it returns is a `Glue` of `border.ts`.
   *
   * @param queueMicrotask Calls a function at the end of the current task.
   */
  export function createGlue(queueMicrotask: (run: () => void) => void): unknown;
}

declare module "step-retry:bytes" {
  /** The module's bytes as text; see `bytes.ts`. */
  export const text: string;
}

declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}

/** The package's version. */
declare const PACKAGE_VERSION: string;
/** The commit that was built, or an empty text. */
declare const PACKAGE_COMMIT: string;
