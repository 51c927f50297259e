// Opens the built page in a real browser, served as `cargo xtask play` serves it.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const SERVER = fileURLToPath(new URL("../../www/serve.mjs", import.meta.url));
const BROWSER = process.env.STEP_RETRY_BROWSER ?? "/usr/bin/chromium";
const QUIET = ["--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

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

/** The page at `url`, ready, with everything it complains about collected in `complaints`. */
export async function openPage(browser, url, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  const complaints = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(url);
  await page.locator("html.ready").waitFor();
  return { page, complaints };
}
