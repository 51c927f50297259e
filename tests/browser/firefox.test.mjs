// The main flows of the playground in Firefox.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import puppeteer from "puppeteer-core";
import { COURIER, servePage } from "./page.mjs";

const FIREFOX = process.env.STEP_RETRY_FIREFOX ?? "/usr/bin/firefox-esr";

const skip = process.env.CI !== "true" && !existsSync(FIREFOX) && `no Firefox at ${FIREFOX}`;

let server;
let browser;

/** Waits for `holds` to hold in the page. Puppeteer's own waiting makes functions out of text, which the page forbids. */
async function until(page, holds, argument) {
  for (let round = 0; round < 300; round++) {
    if (await page.evaluate(holds, argument)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`this never came to hold: ${holds} ${argument ?? ""}`);
}

async function open(t) {
  const page = await browser.newPage();
  t.after(() => page.close());
  const complaints = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.setViewport({ width: 1280, height: 900 });
  await page.goto(server.url);
  await until(page, () => document.querySelector("html.ready") !== null);
  return {
    page,
    complaints,
    seen: (text) => until(page, (sought) => document.body.innerText.includes(sought), text),
  };
}

describe("in Firefox", { skip }, () => {
  before(async () => {
    server = await servePage();
    browser = await puppeteer.launch({ browser: "firefox", executablePath: FIREFOX, headless: true });
  });

  after(async () => {
    await browser?.close();
    server?.close();
  });

  test("typing in the editor changes problems and plan", async (t) => {
    const { page, complaints, seen } = await open(t);
    await page.evaluate(() => document.querySelector(".code").shadowRoot.querySelector(".cm-content").focus());
    await page.keyboard.down("Control");
    await page.keyboard.press("a");
    await page.keyboard.up("Control");
    await page.keyboard.type("id: x");
    await seen("Missing required field");
    assert.deepEqual(complaints, []);
  });

  test("a kept text is planned, rehearsed, run for real and moved", async (t) => {
    const { page, complaints, seen } = await open(t);
    await page.evaluate((text) => localStorage.setItem("step-retry.text", text), COURIER);
    await page.reload();
    await until(page, () => document.querySelector("html.ready") !== null);
    await seen("Valid: courier v1");
    assert.equal(await page.$$eval(".timeline rect", (bars) => bars.length), 3);
    await page.click("#tab-rehearse");
    await seen("Works after 3 attempts, 800");
    await page.evaluate(() =>
      [...document.querySelectorAll("button")].find((one) => one.textContent === "Run ×10").click(),
    );
    await until(page, () => document.querySelector(".run h3").textContent === "What happened");
    await page.click("#tab-move");
    await until(page, () =>
      [...document.querySelectorAll("#panel-move pre")].some((code) => code.textContent.includes("maximumAttempts")),
    );
    await page.click("#plain");
    await until(page, () => document.querySelector("textarea") !== null);
    assert.equal(await page.$eval("textarea", (field) => field.value), COURIER);
    await page.evaluate(() => localStorage.clear());
    assert.deepEqual(complaints, []);
  });
});
