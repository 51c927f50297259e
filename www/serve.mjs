// Serves the built page on this machine: `node www/serve.mjs [--port N]`.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const ROOT = fileURLToPath(new URL("dist", import.meta.url));
const DEFAULT_PORT = "4173";

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

const port = readPort();

const server = createServer(async (request, response) => {
  const body = await content(request.url ?? "/");
  if (body === null) return response.writeHead(404, { "content-type": "text/plain" }).end("There is nothing here.\n");
  response
    .writeHead(200, { "content-type": body.type, "cache-control": "no-store", "x-content-type-options": "nosniff" })
    .end(body.bytes);
});
server.on("error", (error) => {
  console.error(`The page cannot be served: ${error.message}`);
  process.exitCode = 1;
});
server.listen(port, "127.0.0.1", () => {
  console.log(`The playground is at http://127.0.0.1:${server.address().port}/ (Ctrl-C ends it)`);
});

/** The port asked for; 0 lets the system choose. Anything that is none ends the process with a line that says so. */
function readPort() {
  try {
    const { values } = parseArgs({ options: { port: { type: "string", default: DEFAULT_PORT } } });
    if (/^\d{1,5}$/.test(values.port) && Number(values.port) <= 65535) return Number(values.port);
    console.error(`--port takes a number from 0 to 65535, not '${values.port}'`);
  } catch (error) {
    console.error(error.message);
  }
  process.exit(2);
}

/** The file that `url` names, or null where there is none. Nothing outside the built page is ever read. */
async function content(url) {
  const { pathname } = new URL(url, "http://127.0.0.1");
  try {
    const path = join(ROOT, normalize(decodeURIComponent(pathname.endsWith("/") ? `${pathname}index.html` : pathname)));
    if (!path.startsWith(ROOT)) return null;
    return { bytes: await readFile(path), type: TYPES[extname(path)] ?? "application/octet-stream" };
  } catch {
    return null;
  }
}
