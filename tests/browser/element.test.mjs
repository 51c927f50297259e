// `<step-retry-playground>` as docs/editor.md has it, and its page for frames.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { blocks } from "../node/snippets.mjs";
import { faults, withAxe } from "./axe.mjs";
import { guard, openBrowser, servePage, visit } from "./page.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'";

let server;
let browser;
let requested = [];

/** The page of the docs, its script in files, as a bundler makes it. */
async function serveElement() {
  const [markup] = blocks(await readFile(`${ROOT}docs/editor.md`, "utf8"), "html");
  const [, script, body] = /<script type="module">(.*?)<\/script>(.*)/s.exec(markup);
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: ROOT },
    bundle: true,
    splitting: true,
    format: "esm",
    minify: true,
    write: false,
    outdir: "/",
    entryNames: "page",
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [path, contents]));
  const two = `${body}${body.replace("<step-retry-playground", '<step-retry-playground id="second" readonly theme="dark"')}`;
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Docs</title><link rel="icon" href="/icon">
    <script type="module" src="/page.js"></script><main><h1>Docs</h1>${two}</main></html>`;
  const listening = createServer((request, response) => {
    const script = files.get(request.url);
    requested.push(request.url);
    if (request.url === "/icon") return response.writeHead(204).end();
    response
      .writeHead(200, {
        "content-type": script === undefined ? "text/html" : "text/javascript",
        "content-security-policy": POLICY,
      })
      .end(script ?? page);
  });
  await new Promise((resolve) => listening.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${listening.address().port}/`, close: () => listening.close(), files };
}

before(async () => {
  [server, browser] = await Promise.all([serveElement(), openBrowser()]);
});

after(async () => {
  await browser?.close();
  server?.close();
});

async function open(t, options) {
  const page = await browser.newPage(options);
  guard(t, page, server.url);
  requested = [];
  await page.goto(server.url);
  const first = page.locator("step-retry-playground").first();
  await first.locator(".timeline").waitFor();
  return { page, first, second: page.locator("#second") };
}

test("text, sentence and picture are there before anything of the editor is fetched", async (t) => {
  const { first } = await open(t);
  assert.match(await first.locator(".text").innerText(), /^id: courier\n.*\n {6}base_delay_ms: 500\n?$/s);
  assert.match(await first.locator(".sentence").innerText(), /4/);
  assert.equal(await first.locator(".timeline rect").count(), 4);
  const scripts = requested.filter((url) => server.files.has(url));
  const size = scripts.reduce((sum, url) => sum + gzipSync(server.files.get(url), { level: 9 }).length, 0);
  assert.ok(scripts.length < server.files.size, "the editor is in a part of its own");
  assert.ok(size < 150_000, `${size} bytes, of which the module is the most`);
});

test("touching the text brings the editor, and a change is told", async (t) => {
  const { page, first } = await open(t);
  await page.evaluate(() => {
    document.addEventListener("step-retry-change", ({ detail }) => {
      globalThis.told = detail;
    });
  });
  await first.locator(".text").click();
  const editor = first.locator(".cm-content");
  await editor.waitFor();
  await editor.getByText("max_attempts").click();
  await page.keyboard.press("End");
  await page.keyboard.press("Backspace");
  await page.keyboard.insertText("2");
  await page.waitForFunction(() => globalThis.told?.source.includes("max_attempts: 2"));
  assert.equal(await first.locator(".timeline rect").count(), 2);
  assert.equal(await page.evaluate(() => globalThis.told.report.valid), true);
});

test("a click puts the cursor where it points: who types on is not lost", async (t) => {
  const { page, first } = await open(t);
  const { left, top } = await first.locator(".text").evaluate((pre) => {
    const range = document.createRange();
    const at = pre.textContent.indexOf("courier");
    range.setStart(pre.firstChild, at);
    range.setEnd(pre.firstChild, at + 1);
    return range.getBoundingClientRect();
  });
  await page.mouse.click(left + 1, top + 5);
  await first.locator(".cm-content").and(page.locator(":focus")).waitFor();
  await page.keyboard.type("x");
  assert.match(await first.locator(".cm-content").innerText(), /^id: xcourier\n/);
});

test("what is typed before the editor is there is not lost", async (t) => {
  const { page, first } = await open(t);
  await page.route("**/*code-source*", async (route) => {
    await new Promise((late) => setTimeout(late, 600));
    await route.continue();
  });
  await first.locator(".text").click({ position: { x: 3, y: 5 } });
  await page.keyboard.type("QWERTY", { delay: 20 });
  await first.locator(".cm-content").waitFor();
  await page.keyboard.type("!");
  assert.match(await first.locator(".cm-content").innerText(), /QWERTY!/);
});

test("it can be changed again when it is read-only no more, and tells only of its user's changes", async (t) => {
  const { page, second } = await open(t);
  const file = "id: w\nname: W\nversion: 1\nsteps:\n  pull: {description: D., execution: auto, handlr: h}\n";
  await second.evaluate((element, text) => {
    element.addEventListener("step-retry-change", () => globalThis.changes++);
    globalThis.changes = 0;
    element.source = text;
  }, file);
  const mending = second.locator(".mend", { hasText: "handler" });
  await second.locator(".problem").first().waitFor();
  assert.equal(await mending.count(), 0);
  await second.evaluate((element) => element.removeAttribute("readonly"));
  await mending.click();
  await second.locator(".cm-content", { hasText: "handler: h" }).waitFor();
  assert.equal(await page.evaluate(() => globalThis.changes), 1);
  await second.evaluate((element, text) => {
    element.source = text;
  }, file);
  await mending.waitFor();
  assert.equal(await page.evaluate(() => globalThis.changes), 1);
  await second.evaluate((element) => element.setAttribute("readonly", ""));
  await second.locator(".text").waitFor();
  assert.equal(await mending.count(), 0);
});

test("it can be reached by keyboard, and brings the keyboard into the editor", async (t) => {
  const { page, first } = await open(t);
  await page.keyboard.press("Tab");
  await first.locator(".cm-content").and(page.locator(":focus")).waitFor();
});

test("a read-only one stays text, and its attributes and properties are heard", async (t) => {
  const { page, second } = await open(t);
  await second.locator(".text").click();
  assert.equal(await second.locator(".cm-content").count(), 0);
  await second.evaluate((element) => {
    element.source = element.source.replace("max_attempts: 4", "max_attempts: 0");
  });
  await second.locator(".problem.error").waitFor();
  assert.equal(await second.evaluate((element) => element.report.valid), false);
  await page.evaluate(() => document.querySelector("#second").setAttribute("height", "100"));
  assert.equal(await second.locator(".file").evaluate((file) => file.clientHeight), 100);
});

for (const colorScheme of ["light", "dark"]) {
  test(`nothing stands in the way of anybody: ${colorScheme}`, async (t) => {
    const { page, first } = await open(t, { colorScheme, viewport: { width: 360, height: 800 } });
    await withAxe(page);
    for (const touched of [false, true]) {
      if (touched) await first.locator(".text").click();
      if (touched) await first.locator(".cm-content").waitFor();
      assert.deepEqual(await faults(page), []);
    }
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
  });
}

test("the page for frames shows what its address holds", async (t) => {
  const playground = await servePage();
  t.after(() => playground.close());
  const page = await browser.newPage();
  guard(t, page, playground.url);
  await visit(page, playground.url);
  await page.getByRole("combobox", { name: "Step", exact: true }).selectOption("publish");
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.waitForFunction(() => location.hash.startsWith("#v1="));
  const fragment = await page.evaluate(() => location.hash);
  await page.goto(`${playground.url}embed.html${fragment}`);
  assert.equal(await page.getByRole("combobox", { name: "Step" }).inputValue(), "publish");
  await page.goto(`${playground.url}embed.html${fragment.slice(0, 30)}`);
  await page.getByText("The link is damaged").waitFor();
});
