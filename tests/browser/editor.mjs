// The editor of docs/editor.md, as the page has it, in a page of its own.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { blocks } from "../node/snippets.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const page = (markup) => `<!doctype html><html lang="en"><meta charset="utf-8"><title>Editor</title>
  <link rel="icon" href="data:,">${markup}<script type="module" src="editor.js"></script></html>`;

/** Serves the editor with `options` for `stepRetry` in place of none. */
export async function serveEditor(options = "") {
  const [snippet] = blocks(await readFile(`${ROOT}docs/editor.md`, "utf8"), "js");
  const code = snippet
    .replace("new EditorView", "globalThis.view = new EditorView")
    .replace("stepRetry()", `stepRetry(${options})`);
  return serveScript(code, '<main id="editor"></main>');
}

/** Serves a page of `markup` with a script of `code`. */
export async function serveScript(code, markup) {
  const script = await bundle(code);
  const server = createServer((request, response) => {
    const isPage = request.url === "/";
    response
      .writeHead(200, { "content-type": isPage ? "text/html" : "text/javascript" })
      .end(isPage ? page(markup) : script);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

async function bundle(code) {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: ROOT, loader: "ts" },
    bundle: true,
    format: "esm",
    minify: true,
    write: false,
  });
  return outputFiles[0].text;
}
