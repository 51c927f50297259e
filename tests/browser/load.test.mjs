// What a visitor waits for: bytes, long tasks and things that move about while the page loads.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { browser, server } from "./opened.mjs";

const DIST = fileURLToPath(new URL("../../www/dist", import.meta.url));

/** Each page with what says that it is there, what its first load may weigh gzipped, and what comes later. */
const PAGES = [
  { path: "/", ready: "html.ready", limit: 280_000, later: /form|rehearsal|herd|move/ },
  { path: "/embed.html", ready: "step-retry-playground .timeline", limit: 140_000, later: /codemirror|editor/ },
];

/** Nothing holds a visitor up for longer. It is the page's own work that counts, whatever else the machine does. */
const LONGEST_TASK_MS = 50;

/** A busy machine makes any work longer: the best of so many loads counts. */
const LOADS = 5;

/** Notes what moves, from the first byte. */
function watch() {
  globalThis.shifts = [];
  new PerformanceObserver((list) => globalThis.shifts.push(...list.getEntries().map(({ value }) => value))).observe({
    type: "layout-shift",
    buffered: true,
  });
}

/** One load of a page by somebody who has never been there: its files, what moved, its longest task in ms. */
async function load({ path, ready }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(watch);
  const files = new Set();
  page.on("request", (request) => {
    if (request.serviceWorker() === null) files.add(new URL(request.url()).pathname);
  });
  await browser.startTracing(page, { categories: ["toplevel"] });
  await page.goto(`${server.url.replace(/\/$/, "")}${path}`);
  await page.locator(ready).waitFor();
  const first = [...files];
  await page.waitForTimeout(300);
  const longest = longestTask(JSON.parse(await browser.stopTracing()).traceEvents);
  const shift = await page.evaluate(() => globalThis.shifts.reduce((sum, value) => sum + value, 0));
  await context.close();
  return { files: first, longest, shift };
}

/** The time of the processor that the longest task of a page's own thread took, in ms. */
function longestTask(events) {
  const threads = events.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
  const isPages = ({ pid, tid }) => threads.some((thread) => thread.pid === pid && thread.tid === tid);
  const tasks = events.filter((event) => event.name.endsWith("RunTask") && event.tdur !== undefined && isPages(event));
  assert.ok(tasks.length > 10, "the trace has the page's tasks");
  return Math.max(...tasks.map(({ tdur }) => tdur / 1000));
}

async function weight(files) {
  const bytes = await Promise.all(files.map((path) => readFile(`${DIST}${path === "/" ? "/index.html" : path}`)));
  return bytes.reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0);
}

for (const { path, ready, limit, later } of PAGES) {
  test(`${path}: the first load is light, nothing moves or holds up, and parts that are opened later come later`, async (t) => {
    const loads = [];
    do loads.push(await load({ path, ready }));
    while (loads.at(-1).longest > LONGEST_TASK_MS && loads.length < LOADS);
    const [{ files, shift }] = loads;
    const size = await weight(files);
    const longest = loads.map((one) => Math.round(one.longest)).join(", ");
    t.diagnostic(`${(size / 1000).toFixed(1)} kB gzipped, of at most ${limit / 1000} kB; longest task ${longest} ms`);
    assert.ok(size <= limit, `${size} bytes: ${files.join()}`);
    assert.ok(!files.some((file) => later.test(file)), files.join());
    assert.ok(shift < 0.001, `layout shift ${shift}`);
    assert.ok(loads.at(-1).longest <= LONGEST_TASK_MS, `long tasks in each load: ${longest} ms`);
  });
}
