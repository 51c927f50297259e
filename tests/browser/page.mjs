// Opens the built page in a real browser, served as `cargo xtask play` serves it.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const SERVER = fileURLToPath(new URL("../../www/serve.mjs", import.meta.url));
const BROWSER = process.env.STEP_RETRY_BROWSER ?? "/usr/bin/chromium";
const QUIET = ["--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** A whole file with one step, and nothing to say against it. */
export const COURIER =
  "id: courier\nname: Courier\nversion: 1\nsteps:\n  pull:\n    description: Pull.\n    execution: auto\n    handler: pull\n    timeout_seconds: 1\n    retry:\n      max_attempts: 3 # enough\n      base_delay_ms: 100\n";

/** The address of the served page, and how to end its server. */
export async function servePage() {
  const server = spawn(process.execPath, [SERVER, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: server.stdout })) {
    const url = line.match(/http:\S+/)?.[0];
    if (url !== undefined) return { url, close: () => server.kill() };
  }
  throw new Error("the page's server ended without saying where it is");
}

/** A browser without a window. */
export function openBrowser() {
  return chromium.launch({
    executablePath: BROWSER,
    args: process.getuid?.() === 0 ? ["--no-sandbox", ...QUIET] : QUIET,
  });
}

/** Goes to `url` and waits until the playground there is ready. */
export async function visit(page, url) {
  await page.goto(url);
  await page.locator("html.ready").waitFor();
}

/**
 * Closes `page` when the test is over, which fails if the page said anything to the console, broke, or asked
 * anybody but `url` for anything. `expected` are the complaints that the test is about.
 */
export function guard(t, page, url, expected = []) {
  const complaints = [];
  const complain = (text) => expected.some((pattern) => pattern.test(text)) || complaints.push(text);
  page.on("console", (message) => complain(message.text()));
  page.on("pageerror", (error) => complain(error.message));
  page.on("request", (request) => {
    const asked = new URL(request.url());
    if (/^http/.test(asked.protocol) && asked.origin !== new URL(url).origin) complain(`asked for ${asked}`);
  });
  t.after(async () => {
    await page.close();
    assert.deepEqual(complaints, []);
  });
}
