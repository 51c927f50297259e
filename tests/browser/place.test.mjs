// The page in its surroundings: files dropped on it, paper, a home screen, a path on somebody's server.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { COURIER, guard, openBrowser, servePage, visit } from "./page.mjs";

let server;
let browser;
let folder;

before(async () => {
  [server, browser, folder] = await Promise.all([servePage(), openBrowser(), mkdtemp(join(tmpdir(), "step-retry-"))]);
});

after(async () => {
  await browser?.close();
  server?.close();
  await rm(folder, { recursive: true, force: true });
});

async function open(t, url = server.url, expected = []) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  guard(t, page, url, expected);
  await visit(page, url);
  return page;
}

/** A file on the disk. */
async function file(name, content) {
  await writeFile(join(folder, name), content);
  return join(folder, name);
}

/** Drops `files`, paths on the disk, onto the middle of the page, as the browser hears of it from the system. */
async function drop(page, files) {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"]) {
    await session.send("Input.dispatchDragEvent", { type, x: 300, y: 400, data });
    if (type === "dragOver") await page.locator("body.dropping").waitFor();
  }
  assert.equal(await page.locator("body.dropping").count(), 0);
}

test("a file that is dropped is opened; what is no file, or no text, gives a message", async (t) => {
  const page = await open(t);
  const verdict = page.locator("#verdict");
  await drop(page, [await file("courier.yaml", COURIER)]);
  await page.getByText("courier.yaml is open.").waitFor();
  assert.match(await verdict.innerText(), /Valid: courier v1/);
  const refused = {
    "That is a folder": [join(folder, "some-folder")],
    "One file can be opened at a time.": [await file("a.yaml", "id: a"), await file("b.yaml", "id: b")],
    "That file is no text in UTF-8.": [await file("picture.png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe]))],
    "That file is 5.1 MB long": [await file("long.yaml", "x".repeat(5_000_001))],
  };
  await mkdir(join(folder, "some-folder"));
  for (const [message, files] of Object.entries(refused)) {
    await drop(page, files);
    await page.locator("#news").getByText(message).waitFor();
    assert.match(await verdict.innerText(), /Valid: courier v1/, "the text is what it was");
  }
});

test("paper shows the whole file, the problems and the step, and nothing that is to be clicked", async (t) => {
  const page = await open(t);
  const examples = await readFile(new URL("../../examples/article-pipeline/workflow.yaml", import.meta.url), "utf8");
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.equal(await page.locator("#printed").innerText(), examples);
  for (const unwanted of [".tools", ".tabs", ".mend", ".cm-editor", "#mend-all"]) {
    assert.equal(await page.locator(unwanted).first().isVisible(), false, unwanted);
  }
  for (const wanted of ["#verdict", "#problems", "#sentence", ".fields", ".timeline", ".figures", "table"]) {
    assert.equal(await page.locator(wanted).first().isVisible(), true, wanted);
  }
  // What the figures were computed from stands there in words.
  assert.equal(await page.getByLabel("Jitter").evaluate((field) => getComputedStyle(field).borderTopWidth), "0px");
  assert.equal(
    await page.evaluate(() => getComputedStyle(document.querySelector("#sentence")).color),
    "rgb(30, 33, 38)",
  );
  const path = join(folder, "page.pdf");
  const pdf = await page.pdf({ path, format: "A4" });
  assert.equal(pdf.subarray(0, 5).toString(), "%PDF-");
  const pages = pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  assert.ok(pages >= 2 && pages <= 5, `${pages} pages`);
  // Where there is a reader of PDF, the words on the paper are read again.
  const words = printedWords(path);
  if (words !== undefined) assert.match(words, /From a link.*finalizer.*Problems.*Worst case/is);
});

function printedWords(path) {
  try {
    return execFileSync("pdftotext", [path, "-"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    return undefined;
  }
}

test("the page can be installed: its manifest is whole, its icons are as large as they say", async (t) => {
  const page = await open(t);
  const session = await page.context().newCDPSession(page);
  await page.evaluate(() => navigator.serviceWorker.ready);
  const { url, errors, data } = await session.send("Page.getAppManifest");
  assert.deepEqual(errors, []);
  const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
  // A page that is looked at in a window of its own profile cannot be installed, whatever it is.
  const own = installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito");
  assert.deepEqual(own, []);
  const manifest = JSON.parse(data);
  for (const key of ["id", "start_url", "scope"]) assert.equal(manifest[key], "./", key);
  assert.ok(manifest.icons.some(({ purpose }) => purpose === "maskable"));
  for (const { src, sizes, type } of manifest.icons) {
    const answer = await page.request.get(new URL(src, url).href);
    assert.equal(answer.headers()["content-type"], type, src);
    const bytes = await answer.body();
    if (type === "image/png") assert.equal(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, sizes, src);
    else assert.match(bytes.toString(), /^<svg /);
  }
});

/** The page behind a path, as a static host has it. */
async function serveUnder(path) {
  const listening = createServer(async (request, response) => {
    if (!request.url.startsWith(path)) return response.writeHead(404).end();
    const answer = await fetch(new URL(request.url.slice(path.length), server.url));
    const type = answer.headers.get("content-type");
    response.writeHead(answer.status, { "content-type": type }).end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise((resolve) => listening.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${listening.address().port}${path}`, close: () => listening.close() };
}

test("under a path of its own the page, its frame and its offline copy work, and leave others alone", async (t) => {
  const host = await serveUnder("/x/y/");
  t.after(() => host.close());
  const page = await open(t, host.url, [/ERR_INTERNET_DISCONNECTED/]);
  await page.evaluate(() => caches.open("step-retry http://elsewhere/z/ kept"));
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  assert.equal(await page.evaluate(() => navigator.serviceWorker.controller.scriptURL), `${host.url}sw.js`);
  for (const tab of ["Settings", "What if", "Herd", "Move"]) {
    await page.getByRole("tab", { name: tab }).click();
    await page.getByRole("tabpanel", { name: tab }).locator("input:visible, select:visible").first().waitFor();
  }
  await page.context().setOffline(true);
  await page.goto(`${host.url}embed.html`);
  await page.locator("step-retry-playground .timeline").waitFor();
  await visit(page, `${host.url}?from=home`);
  await page.getByRole("status").filter({ hasText: "Valid: article-pipeline v3" }).waitFor();
  assert.ok((await page.evaluate(() => caches.keys())).includes("step-retry http://elsewhere/z/ kept"));
});
