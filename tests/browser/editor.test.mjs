// `step-retry/codemirror` as its page documents it: ten lines, used by pointer and keyboard.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { serveEditor } from "./editor.mjs";
import { guard, openBrowser } from "./page.mjs";

let server;
let browser;

before(async () => {
  [server, browser] = await Promise.all([serveEditor(), openBrowser()]);
});

after(async () => {
  await browser?.close();
  server?.close();
});

const HEAD = "id: courier\nname: Courier\nversion: 1\nsteps:\n";
const step = (name, ...lines) =>
  `  ${[`${name}:`, "  description: D.", "  execution: auto", "  handler: h", ...lines.map((line) => `  ${line}`)].join("\n  ")}\n`;
const PULL = step("pull", "timeout_seconds: 30", "retry:", "  max_attempts: 3", "  base_delay_ms: 1000");

async function open(t, doc) {
  const page = await browser.newPage();
  guard(t, page, server.url);
  await page.goto(server.url);
  await page.locator(".cm-content").waitFor();
  await page.evaluate((insert) => {
    const { view } = globalThis;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert } });
    view.focus();
  }, doc);
  return {
    page,
    text: () => page.evaluate(() => globalThis.view.state.doc.toString()),
    put: (after) =>
      page.evaluate((sought) => {
        const { view } = globalThis;
        const anchor = view.state.doc.toString().indexOf(sought) + sought.length;
        view.dispatch({ selection: { anchor }, scrollIntoView: true });
        view.focus();
      }, after),
    marked: () => page.locator(".cm-lintRange").allInnerTexts(),
  };
}

test("a problem is underlined at its very place, in the frame of the keystroke", async (t) => {
  const { page, put, marked } = await open(t, HEAD + PULL);
  assert.deepEqual(await marked(), []);
  await put("max_attempts: ");
  const seen = await page.evaluate(() => {
    const { view } = globalThis;
    const at = view.state.selection.main.head;
    view.dispatch({ changes: { from: at, to: at + 1, insert: "0" } });
    return [...document.querySelectorAll(".cm-lintRange-error")].map((mark) => mark.textContent);
  });
  assert.deepEqual(seen, ["0"]);
  await page.locator(".cm-lint-marker-error").waitFor();
});

test("each change is checked once, and told once", async (t) => {
  const own = await serveEditor("{ onReport: (report) => (globalThis.reports ??= []).push(report.summary) }");
  t.after(() => own.close());
  const page = await browser.newPage();
  guard(t, page, own.url);
  await page.goto(own.url);
  await page.locator(".cm-content").waitFor();
  await page.evaluate((insert) => {
    const { view } = globalThis;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert } });
  }, HEAD + PULL);
  await page.waitForTimeout(400);
  const reports = await page.evaluate(() => globalThis.reports);
  assert.equal(reports.length, 2, reports.join("\n"));
});

test("a problem can be mended by pointer, and F8 goes from one to the next", async (t) => {
  const { page, text, put, marked } = await open(t, HEAD + PULL.replace("max_attempts", "max_attempt"));
  assert.deepEqual(await marked(), ["max_attempt"]);
  await page.locator(".cm-lintRange").hover();
  await page.getByRole("button", { name: /max_attempts/ }).click();
  assert.equal(await text(), HEAD + PULL);
  assert.deepEqual(await marked(), []);
  await put("base_delay_ms: 100");
  await page.keyboard.press("Delete");
  await page.keyboard.type("x");
  await put("max_attempts: ");
  await page.keyboard.press("Delete");
  await put("id");
  await page.keyboard.press("F8");
  const selected = () => page.evaluate(() => globalThis.view.state.selection.main.from);
  const first = await selected();
  await page.keyboard.press("F8");
  const second = await selected();
  assert.ok(first < second);
  await page.keyboard.press("Shift+F8");
  assert.equal(await selected(), first);
});

test("where there are several mendings, Ctrl-. asks which, and arrows and Enter answer", async (t) => {
  const { page, text, put } = await open(
    t,
    HEAD + PULL.replace("max_attempts: 3", "max_attempts: 3\n      on_timeout: true"),
  );
  await put("on_timeout: tr");
  await page.keyboard.press("Control+.");
  const menu = page.getByRole("menu", { name: "Quick fixes" });
  await menu.waitFor();
  await menu.getByRole("menuitem").first().and(page.locator(":focus")).waitFor();
  const choices = await menu.getByRole("menuitem").allInnerTexts();
  assert.equal(choices.length, 2, choices.join());
  await page.keyboard.press("Escape");
  assert.equal(await menu.count(), 0);
  assert.equal(await page.evaluate(() => globalThis.view.hasFocus), true);
  await page.keyboard.press("Control+.");
  await menu.getByRole("menuitem").first().and(page.locator(":focus")).waitFor();
  await page.keyboard.press(choices[0].includes("idempotent") ? "Enter" : "ArrowDown");
  if (!choices[0].includes("idempotent")) await page.keyboard.press("Enter");
  assert.match(await text(), /idempotent: true/);
});

test("fix all mends what needs no choice, keeps comments and spacing, and is undone as one", async (t) => {
  const spoilt = `${HEAD}${PULL.replace("max_attempts", "max_attempt").replace("handler: h", "handlr:   h # mine")}`;
  const { page, text, put } = await open(t, spoilt);
  await put("id");
  await page.keyboard.press("Control+Shift+.");
  assert.equal(await text(), `${HEAD}${PULL.replace("handler: h", "handler:   h # mine")}`);
  await page.keyboard.press("Control+z");
  assert.equal(await text(), spoilt);
});

test("the line above a retry block says what it does, and follows", async (t) => {
  const { page, put } = await open(t, HEAD + PULL + step("push"));
  const sentence = page.locator(".cm-step-retry-sentence");
  assert.equal(await sentence.count(), 1);
  assert.match(await sentence.innerText(), /3.*1\ss/);
  assert.equal(await sentence.locator("xpath=following-sibling::*[1]").innerText(), "    retry:");
  await put("max_attempts: ");
  await page.keyboard.press("Delete");
  await page.keyboard.type("7");
  assert.match(await sentence.innerText(), /7/);
  await put("pull");
  await page.keyboard.type("s");
  assert.equal(await sentence.count(), 1, "of a step with another name");
});

test("while the block cannot be read, its last line stays where it is, struck through; it goes with the block", async (t) => {
  const { page, put } = await open(t, HEAD + PULL);
  const sentence = page.locator(".cm-step-retry-sentence");
  const [words, { y }] = [await sentence.innerText(), await page.getByText("max_attempts").boundingBox()];
  await put("max_attempts: 3");
  await page.keyboard.type("x");
  assert.equal(await sentence.innerText(), words);
  assert.match(await sentence.evaluate((line) => getComputedStyle(line).textDecorationLine), /line-through/);
  assert.equal((await page.getByText("max_attempts").boundingBox()).y, y);
  await page.keyboard.press("Backspace");
  assert.equal(await sentence.evaluate((line) => getComputedStyle(line).textDecorationLine), "none");
  await page.keyboard.type("x");
  await page.evaluate(() => {
    const { view } = globalThis;
    const from = view.state.doc.toString().indexOf("    retry:");
    view.dispatch({ changes: { from, to: view.state.doc.length } });
  });
  assert.equal(await sentence.count(), 0);
});

test("a step that is called something else takes its line along", async (t) => {
  const { page, put } = await open(t, HEAD + PULL + step("push"));
  await put("  pul");
  await page.keyboard.type("x");
  await page.locator(".cm-line", { hasText: "pulxl:" }).waitFor();
  assert.equal(await page.locator(".cm-step-retry-sentence").count(), 1);
});

test("a key tells what it is for, under the pointer and from the keyboard", async (t) => {
  const { page, put } = await open(t, HEAD + PULL);
  const card = page.locator(".cm-step-retry-key");
  await page.getByText("base_delay_ms").hover();
  assert.match(
    await card.innerText(),
    /^base_delay_ms\n.*milliseconds.*\n.*non-negative number\. In milliseconds\. Default 0/s,
  );
  await page.mouse.move(0, 0);
  await card.waitFor({ state: "detached" });
  await put("timeout_seconds: 3");
  await page.keyboard.press("Alt+F1");
  assert.match(await card.innerText(), /^timeout_seconds: 30 s\n.*Default 3600 \(1 h\)/s);
});

test("completion offers the keys that fit the block and the kind and are not there yet", async (t) => {
  const { page, put, text } = await open(t, `${HEAD}${PULL}`);
  const offered = page.getByRole("option");
  await put("base_delay_ms: 1000");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Control+Space");
  await offered.first().waitFor();
  const keys = await page.locator(".cm-completionLabel").allInnerTexts();
  assert.deepEqual(keys, ["backoff", "max_delay_ms", "on_timeout", "total_timeout_seconds"]);
  await page.keyboard.type("back");
  await page.waitForTimeout(150);
  await page.keyboard.press("Enter");
  await offered.getByText("exponential").waitFor();
  await page.keyboard.type("exp");
  await page.waitForTimeout(150);
  await page.keyboard.press("Enter");
  assert.match(await text(), /\n {6}backoff: exponential\n/);
});

test("completion knows the kind of step, and the names of the others", async (t) => {
  const guardStep = "  check:\n    description: D.\n    execution: guard\n    abort_unless: x\n    \n";
  const { page, put } = await open(t, HEAD + PULL + guardStep);
  await put("abort_unless: x\n    ");
  await page.keyboard.press("Control+Space");
  const offered = page.getByRole("option");
  await offered.first().waitFor();
  const keys = await offered.allInnerTexts();
  assert.ok(
    keys.some((key) => key.startsWith("abort_message")),
    keys.join(),
  );
  assert.ok(!keys.some((key) => key.startsWith("timeout_seconds") || key.startsWith("handler")), keys.join());
  await page.keyboard.type("depends_on: [");
  await page.keyboard.press("Control+Space");
  await offered.getByText("pull").waitFor();
});

test("the outline lists the steps and goes to one", async (t) => {
  const { page } = await open(t, HEAD + PULL + step("push") + step("tidy"));
  await page.keyboard.press("Control+Shift+O");
  await page.getByRole("menuitem").first().and(page.locator(":focus")).waitFor();
  await page.keyboard.press("t");
  await page.keyboard.press("Enter");
  assert.equal(
    await page.evaluate(() => globalThis.view.state.doc.lineAt(globalThis.view.state.selection.main.head).text),
    "  tidy:",
  );
});

test("text that is no YAML, and a paste of 5 MB, leave the editor working", async (t) => {
  const { page, text, marked } = await open(t, `${HEAD + PULL}  next: [\n`);
  assert.ok((await marked()).length > 0);
  assert.equal(await page.locator(".cm-step-retry-sentence").count(), 1);
  await page.evaluate(() => {
    const { view } = globalThis;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: `${"- [\n".repeat(1_250_000)}` } });
  });
  await page.evaluate(() => {
    const { view } = globalThis;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: "id: courier\n" } });
  });
  assert.equal(await text(), "id: courier\n");
  await page.locator(".cm-lintRange-error").first().waitFor();
});
