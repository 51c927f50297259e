import { readdirSync, readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vite";
import { encode } from "../pkg/src/bytes.js";
import { MARKUP } from "../pkg/src/element/texts.js";

/**
 * The package's own sources, where the page shares them: its entries come from the built package, once. The
 * default entry is the one without the module, which the page makes ready by itself.
 */
function packageSources(): Plugin {
  const file = (path: string) => readFileSync(new URL(`../pkg/${path}`, import.meta.url));
  const made: Record<string, () => string> = {
    "step-retry:keys": () => `export const tables = ${file("keys.json")};`,
    "page:module": () => `export const text = ${JSON.stringify(encode(file("dist/step_retry.wasm")))};`,
  };
  return {
    name: "package-sources",
    enforce: "pre",
    resolveId(path, importer = "") {
      if (path in made) return `\0${path}`;
      const isDefault = path === "../index.js" ? "/pkg/src/" : path === "./index.js" ? "/pkg/dist/esm/" : "";
      if (path === "step-retry" || (isDefault !== "" && importer.includes(isDefault))) {
        return this.resolve("step-retry/slim", importer);
      }
      if (path === "../codemirror.js" && importer.includes("/pkg/src/")) {
        return this.resolve("step-retry/codemirror", importer);
      }
      return null;
    },
    load: (id) => made[id.slice(1)]?.() ?? null,
  };
}

const MANIFEST = "manifest.webmanifest";

/** The service worker: keeps the page's files, whose names tell their contents apart. */
function serviceWorker(): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    generateBundle(_, bundle) {
      const hashed = Object.keys(bundle).filter((name) => name.startsWith("assets/"));
      const still = readdirSync(new URL("public", import.meta.url));
      const files = ["./", ...["embed.html", MANIFEST, ...still, ...hashed].map((name) => `./${name}`)];
      const worker = readFileSync(new URL("src/service-worker.js", import.meta.url), "utf8");
      this.emitFile({ type: "asset", fileName: "sw.js", source: worker.replace('["FILES"]', JSON.stringify(files)) });
    },
  };
}

/** `file` with the texts that it names in braces. */
function filled(file: string, escaped: (text: string) => string): string {
  return file.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const text = Object.entries(MARKUP).find(([key]) => key === name)?.[1];
    if (text === undefined) throw new Error(`there is no text '${name}'`);
    return escaped(text);
  });
}

/** Puts the texts into the markup, where they are before any script is, and into the manifest. */
function texts(): Plugin {
  const inMarkup = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
  return {
    name: "texts",
    transformIndexHtml: { order: "pre", handler: (html) => filled(html, inMarkup) },
    generateBundle() {
      const manifest = readFileSync(new URL(`src/${MANIFEST}`, import.meta.url), "utf8");
      this.emitFile({ type: "asset", fileName: MANIFEST, source: filled(manifest, inJson) });
    },
  };
}

export default defineConfig({
  // Relative addresses, so that the built page works under any path.
  base: "./",
  plugins: [packageSources(), texts(), serviceWorker()],
  build: {
    target: "es2022",
    rolldownOptions: { input: ["index.html", "embed.html"] },
    // Its polyfill would fetch, which the page's own policy does not allow.
    modulePreload: { polyfill: false },
    // The module's bytes are inside the script, and their size is watched elsewhere.
    chunkSizeWarningLimit: 1000,
  },
});
