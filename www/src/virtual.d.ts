/** Made by `vite.config.ts`. */
declare module "page:module" {
  /** The core's module, as `encode` of `pkg/src/bytes.ts` writes it. */
  export const text: string;
}
