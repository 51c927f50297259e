// Installs the packed package into an app of its own, has the app do real work in its environment, and
// compares what it tells with `expected.json`. One row of `rows.json` at a time:
//
//   app       the folder of `apps/` that is copied, with its locked tools
//   steps     commands, one after the other; what the last one prints counts, where there is no server
//   server    a command that serves the app on $PORT; `serve` is a folder to be served as it stands
//   env       variables for both
//   visits    its pages that tell a result, opened in `browser`
//   fetches   its answers that are a result
//   csp       the Content-Security-Policy under which a folder is served
//   without   entries that do not make sense there, and why
//   error     the text that the row must tell instead of a result
//   snippets  files that are blocks of our own pages, each `page.md#Heading`
//   tells     what the row tells instead of the work's result: plain data, or the block of text that such a
//             page shows
//   small     files that must stay below so many bytes: what an unused import leaves of the package
//   silent    nothing is told: that the steps succeed is all
//
// Usage: node tests/packaging/run.mjs TARBALL WORK_FOLDER ROW…

import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { prepare, program } from "./app.mjs";
import { data } from "./data.mjs";
import { execute, freePort, start } from "./execute.mjs";
import { part } from "./page.mjs";
import { fetchText, openBrowser, serveFolder } from "./visit.mjs";

const [tarball, work, ...names] = process.argv.slice(2);

/** Runs one row in the folder of its app. */
async function run(row, folder) {
  let printed = "";
  for (const step of row.steps ?? []) printed = await execute(program(step, work), folder, row.env);
  for (const [file, bytes] of Object.entries(row.small ?? {})) {
    const { size } = statSync(join(folder, file));
    assert.ok(size < bytes, `${file} has ${size} bytes, of at most ${bytes}`);
  }
  if (row.silent) return;
  const serves = row.server !== undefined || row.serve !== undefined;
  const told = serves ? await visit(row, folder) : [printed];
  assert.ok(told.length > 0);
  for (const text of told) compare(row, text);
}

async function visit(row, folder) {
  const port = await freePort();
  const server =
    row.server === undefined
      ? serveFolder(join(folder, row.serve), port, row.csp)
      : start(program(row.server, work, port), folder, row.env);
  const browser = row.browser === undefined ? undefined : await openBrowser(row.browser);
  try {
    const address = `http://127.0.0.1:${port}`;
    await server.answers(address);
    const told = [];
    for (const path of row.visits ?? []) told.push(await browser.read(address + path));
    for (const path of row.fetches ?? []) told.push(await fetchText(address + path));
    return told;
  } finally {
    await browser?.close();
    await server.close();
  }
}

function compare(row, text) {
  if (row.error !== undefined) {
    assert.ok(text.includes(row.error), `expected an error with: ${row.error}\ntold: ${text}`);
    return;
  }
  if (typeof row.tells === "string") {
    assert.equal(text.trim(), part(row.tells, "text").trim());
    return;
  }
  // A tool may print lines of its own.
  const line = text.split("\n").find((line) => line.startsWith("{"));
  assert.ok(line !== undefined, `no result was told: ${text}`);
  assert.deepEqual(JSON.parse(line), row.tells ?? expected(row));
}

function expected(row) {
  const offers = Object.entries(data.entries).filter(([name]) => row.without?.[name] === undefined);
  const results = (parts) => Object.fromEntries(parts.map((part) => [part, data.expected[part]]));
  return Object.fromEntries(offers.map(([name, parts]) => [name, results(parts)]));
}

for (const name of names) {
  const row = data.rows.find((row) => row.name === name);
  if (row === undefined) throw new Error(`there is no row '${name}' in rows.json`);
  try {
    await run(row, await prepare(row, tarball, work));
  } catch (error) {
    console.error(`${name}: ${error.message}`);
    process.exitCode = 1;
  }
}
