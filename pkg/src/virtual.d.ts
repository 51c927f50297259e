// What `build.mjs` puts into the bundles.

declare module "step-retry:glue" {
  /**
   * wasm-bindgen's glue, as a function: each call has state of its own, so a broken instance can be
   * left behind. What it returns is a `Glue` of `border.ts`.
   *
   * @param host What it has instead of the globals of these names, and a way round each export.
   */
  export function createGlue(host: import("./guard.js").GlueHost): unknown;
}

declare module "step-retry:module" {
  /**
   * The entry's module: out of its bytes, which are inside the bundle as text, so that it works wherever
   * JavaScript does; for hosts that compile no bytes but import modules (Cloudflare Workers) an imported
   * one.
   */
  export function module(): WebAssembly.Module;
}

declare module "step-retry:keys" {
  /** `keys.json`: the key tables of the core by block, beside the kinds of step. */
  export const tables: Record<string, readonly unknown[]>;
}

declare module "*.css" {
  /** A style sheet's text. */
  const text: string;
  export default text;
}

/** The package's version. */
declare const PACKAGE_VERSION: string;
/** The commit that was built, or an empty text. */
declare const PACKAGE_COMMIT: string;
