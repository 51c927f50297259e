// Pages and the browsers that open them. A page that is done has its result in a `pre`.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { chromium } from "playwright-core";
import puppeteer from "puppeteer-core";

const PATIENCE_MS = 300_000;
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".wasm": "application/wasm",
};

/** Serves a folder's files. */
export function serveFolder(folder, port, csp) {
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    try {
      const bytes = readFileSync(file);
      const policy = csp === undefined ? {} : { "content-security-policy": csp };
      response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "text/plain", ...policy }).end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  const listening = new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    answers: () => listening,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** What a server tells without a browser. */
export async function fetchText(url) {
  const response = await fetch(url);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answers ${response.status}: ${text}`);
  return text;
}

/** A browser without a window, by its name. */
export function openBrowser(name) {
  return name === "firefox" ? openFirefox() : openChromium();
}

async function openChromium() {
  const browser = await chromium.launch({
    executablePath: process.env.STEP_RETRY_BROWSER ?? "/usr/bin/chromium",
    args: process.getuid?.() === 0 ? ["--no-sandbox", "--disable-gpu"] : ["--disable-gpu"],
    timeout: PATIENCE_MS,
  });
  const page = await browser.newPage();
  return {
    read: (url) => read(page, url, { timeout: PATIENCE_MS, state: "attached" }),
    close: () => browser.close(),
  };
}

// Playwright drives only a Firefox of its own making; any Firefox speaks WebDriver BiDi.
async function openFirefox() {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath: process.env.STEP_RETRY_FIREFOX ?? "/usr/bin/firefox-esr",
    timeout: PATIENCE_MS,
    protocolTimeout: PATIENCE_MS,
  });
  const page = await browser.newPage();
  return {
    read: (url) => read(page, url, { timeout: PATIENCE_MS }),
    close: () => browser.close(),
  };
}

async function read(page, url, patience) {
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => complaints.push(message.text()));
  try {
    await page.goto(url, { timeout: PATIENCE_MS });
    await page.waitForSelector("body > pre:not(:empty)", patience);
  } catch (error) {
    throw new Error(`${url} is not done: ${error.message}\n${complaints.join("\n")}`);
  }
  return page.$eval("body > pre", (told) => told.textContent);
}
