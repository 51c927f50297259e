// What a visitor waits for: bytes, long tasks and things that move about while the page loads.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { openBrowser, servePage } from "./page.mjs";

const DIST = fileURLToPath(new URL("../../www/dist", import.meta.url));

/** What the first load may weigh, gzipped; the goal is where it has to come down to. */
const LIMIT = 290_000;
const GOAL = 280_000;

test("the first load is light, nothing moves, and parts that are opened later come later", async (t) => {
  const [server, browser] = await Promise.all([servePage(), openBrowser()]);
  t.after(() => browser.close());
  t.after(() => server.close());
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.addInitScript(() => {
    globalThis.shifts = [];
    new PerformanceObserver((list) => globalThis.shifts.push(...list.getEntries().map(({ value }) => value))).observe({
      type: "layout-shift",
      buffered: true,
    });
  });
  const loaded = new Set();
  page.on("request", (request) => {
    if (request.serviceWorker() === null) loaded.add(new URL(request.url()).pathname);
  });
  await page.goto(server.url);
  await page.locator("html.ready").waitFor();
  const first = [...loaded];
  await page.waitForTimeout(300);
  const files = await Promise.all(first.map((path) => readFile(`${DIST}${path === "/" ? "/index.html" : path}`)));
  const size = files.reduce((sum, bytes) => sum + gzipSync(bytes, { level: 9 }).length, 0);
  t.diagnostic(`${(size / 1000).toFixed(1)} kB gzipped, of at most ${LIMIT / 1000} kB; the goal is ${GOAL / 1000} kB`);
  assert.ok(size <= LIMIT, `${size} bytes`);
  assert.ok(!first.some((path) => /form|rehearsal|move/.test(path)), first.join());
  const shift = await page.evaluate(() => globalThis.shifts.reduce((sum, value) => sum + value, 0));
  assert.ok(shift < 0.001, `layout shift ${shift}`);
});
