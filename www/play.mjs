// Serves the page while its sources are worked on: `node www/play.mjs [--port N] [--no-open]`. What is saved is built,
// and every page that is open is loaded anew.

import { spawn } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { content, DEFAULT_PORT, headers, readPort, serve } from "./server.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** What the page is made from. */
const SOURCES = ["src", "pkg/src", "www/src", "www/public", "examples"].map((folder) => ROOT + folder);

/** How often the sources are looked at. Not every system tells of changes in folders below, nor of files that a new one replaces. */
const LOOK_MS = 300;

const RELOADING = 'new EventSource("/changes").onmessage = () => location.reload();\n';

const OPENERS = { darwin: ["open"], win32: ["cmd", "/c", "start", ""] };

/** Serves the page, and after each change in `sources` that `build` makes a page of has it loaded anew. */
export async function play(port, { sources = SOURCES, build = buildAll } = {}) {
  const pages = new Set();
  const server = await serve(port, async (url, response) => {
    if (url === "/changes") {
      response.writeHead(200, headers("text/event-stream")).flushHeaders();
      pages.add(response.on("close", () => pages.delete(response)));
      return undefined;
    }
    if (url === "/reloading.js") return { bytes: RELOADING, type: "text/javascript" };
    const body = await content(url);
    return body?.type.startsWith("text/html") ? { ...body, bytes: reloading(`${body.bytes}`) } : body;
  });
  let [seen, isServed] = [await stateOf(sources), true];
  // One after the other: what is saved during a build is in the next.
  const look = async () => {
    const now = await stateOf(sources);
    const isOther = now !== seen;
    seen = now;
    if (isOther && (await build())) for (const page of pages) page.write("data:\n\n");
    if (isServed) timer = setTimeout(look, LOOK_MS);
  };
  let timer = setTimeout(look, LOOK_MS);
  const close = () => {
    isServed = false;
    clearTimeout(timer);
    server.close();
  };
  return { ...server, close };
}

/** A page of ours that hears of changes; its policy lets it ask nobody but this server. */
function reloading(html) {
  return html
    .replace("default-src 'none';", "default-src 'none'; connect-src 'self';")
    .replace("</head>", '<script type="module" src="/reloading.js"></script></head>');
}

/** Differs where a file below `folders` is new, gone or another. */
async function stateOf(folders) {
  // While files are exchanged, as for another branch, anything may be missing.
  const missing = () => [];
  const stateIn = async (folder) => {
    const paths = (await readdir(folder, { recursive: true }).catch(missing)).map((name) => `${folder}/${name}`);
    const states = paths.map((path) => stat(path).then(({ mtimeMs, size }) => [path, mtimeMs, size], missing));
    return Promise.all(states);
  };
  return JSON.stringify(await Promise.all(folders.map(stateIn)));
}

/** Builds what has changed, and tells whether that went well; what did not is on the terminal. */
function buildAll() {
  const child = spawn("cargo", ["xtask", "build"], { cwd: ROOT, stdio: "inherit" });
  return new Promise((resolve) => {
    child.on("error", () => resolve(false));
    child.on("close", (code) => resolve(code === 0));
  });
}

/** Shows `url` in the reader's browser; where none can be started, the address is on the terminal. */
function open(url) {
  const [program, ...before] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...before, url], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}

async function main() {
  const options = { port: { type: "string", default: DEFAULT_PORT }, "no-open": { type: "boolean" } };
  const { values } = parseArgs({ options });
  const { url } = await play(readPort(values.port));
  if (values["no-open"] !== true) open(url);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((error) => {
    console.error(error.message);
    process.exit(2);
  });
}
