import { defineConfig } from "vite";

export default defineConfig({
  // Relative addresses, so that the built page works under any path.
  base: "./",
  build: {
    target: "es2022",
    // Its polyfill would fetch, which the page's own policy does not allow.
    modulePreload: { polyfill: false },
    // The module's bytes are inside the script, and their size is watched elsewhere.
    chunkSizeWarningLimit: 1000,
  },
});
