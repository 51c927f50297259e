import { build } from "vite";

await build({
  configFile: false,
  logLevel: "warn",
  build: { outDir: "out", lib: { entry: "unused.js", formats: ["es"], fileName: "unused" } },
});
