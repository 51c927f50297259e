// The built page as a static host serves it, on this machine only.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("dist", import.meta.url));

/** Where the page is served when nothing else is asked for. */
export const DEFAULT_PORT = "4173";

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

/** Serves what `answer` gives for an address until `close`. Ends the process where that cannot be. */
export function serve(port, answer = content) {
  const server = createServer(async (request, response) => {
    const body = await answer(request.url ?? "/", response);
    if (body === null) response.writeHead(404, { "content-type": "text/plain" }).end("There is nothing here.\n");
    else if (body !== undefined) response.writeHead(200, headers(body.type)).end(body.bytes);
  });
  return new Promise((resolve) => {
    server.on("error", (error) => {
      console.error(`The page cannot be served: ${error.message}`);
      process.exit(1);
    });
    server.listen(port, "127.0.0.1", () => {
      const url = `http://127.0.0.1:${server.address().port}/`;
      console.log(`The playground is at ${url} (Ctrl-C ends it)`);
      const close = () => {
        server.close();
        server.closeAllConnections();
      };
      resolve({ url, close });
    });
  });
}

/** What goes before an answer of `type`. */
export function headers(type) {
  return { "content-type": type, "cache-control": "no-store", "x-content-type-options": "nosniff" };
}

/** The port that is asked for; 0 lets the system choose. Anything that is none ends the process with a line that says so. */
export function readPort(text) {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65535) return Number(text);
  console.error(`--port takes a number from 0 to 65535, not '${text}'`);
  process.exit(2);
}

/** The file that `url` names, or null where there is none. Nothing outside the built page is ever read. */
export async function content(url) {
  const { pathname } = new URL(url, "http://127.0.0.1");
  try {
    const path = join(ROOT, normalize(decodeURIComponent(pathname.endsWith("/") ? `${pathname}index.html` : pathname)));
    if (!path.startsWith(ROOT)) return null;
    return { bytes: await readFile(path), type: TYPES[extname(path)] ?? "application/octet-stream" };
  } catch {
    return null;
  }
}
