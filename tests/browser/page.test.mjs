// The playground as a visitor uses it: in Chromium, under the page's own strict policy.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { openBrowser, openPage, servePage } from "./page.mjs";

const AXE = fileURLToPath(import.meta.resolve("axe-core/axe.min.js"));

let server;
let browser;

before(async () => {
  [server, browser] = await Promise.all([servePage(), openBrowser()]);
});

after(async () => {
  await browser?.close();
  server?.close();
});

async function open(t, options) {
  const { page, complaints } = await openPage(browser, server.url, options);
  t.after(() => page.close());
  return {
    page,
    complaints,
    source: page.getByRole("textbox", { name: "Workflow file" }),
    problems: page.locator("#problems").getByRole("button"),
    plan: page.locator("#plan"),
  };
}

const COURIER =
  "id: courier\nname: Courier\nversion: 1\nsteps:\n  pull:\n    description: Pull.\n    execution: auto\n    handler: pull\n    timeout_seconds: 1\n    retry:\n      max_attempts: 3\n";

test("the first example is there at once, with its problems and a plan", async (t) => {
  const { page, complaints, problems, plan } = await open(t);
  await assert.doesNotReject(page.getByRole("status").filter({ hasText: "Valid: article-pipeline v3" }).waitFor());
  assert.ok((await problems.count()) > 1);
  assert.match(await plan.textContent(), /^Up to 3 attempts of at most 1 s each, waiting 200 ms, then 400 ms\./);
  assert.equal(
    await page
      .getByRole("img", { name: /^Timeline of the attempts of fetch_source/ })
      .locator("rect")
      .count(),
    3,
  );
  assert.deepEqual(complaints, []);
});

test("problems and plan follow each keystroke", async (t) => {
  const { complaints, source, problems, plan } = await open(t);
  await source.fill(COURIER);
  assert.equal(await problems.count(), 0);
  assert.equal(await plan.getByRole("row").count(), 4);
  await source.press("Control+End");
  await source.press("ArrowLeft");
  await source.press("Backspace");
  await source.press("0");
  assert.match(
    await problems.textContent(),
    /^Error\s*11:21\s*Step 'pull': 'retry\.max_attempts' must be a positive integer/,
  );
  assert.match(await plan.textContent(), /No step has limits that can be read/);
  await source.press("Backspace");
  await source.press("5");
  assert.equal(await problems.count(), 0);
  assert.equal(await plan.getByRole("row").count(), 6);
  await source.press("Enter");
  await source.pressSequentially("      backof: linear");
  assert.match(await problems.textContent(), /unknown key 'backof' \(line 12\) — ignored \(did you mean 'backoff'\?\)/);
  assert.deepEqual(complaints, []);
});

test("a half-written file keeps the plan of the step that can be read", async (t) => {
  const { source, problems, plan } = await open(t);
  await source.fill(`${COURIER}  next: [\n`);
  assert.match(await problems.first().textContent(), /YAML parse error/);
  assert.match(await plan.textContent(), /^Up to 3 attempts/);
});

test("a problem is a button that goes to its place, by keyboard too", async (t) => {
  const { page, source, problems } = await open(t);
  await source.fill(COURIER.replace("max_attempts: 3", "max_attempts: 0"));
  await problems.first().focus();
  await page.keyboard.press("Enter");
  const selected = await source.evaluate((field) => field.value.slice(field.selectionStart, field.selectionEnd));
  assert.equal(selected, "0");
  assert.equal(await source.evaluate((field) => field === document.activeElement), true);
});

test("the plan is that of the step the cursor is in, or the one that is chosen", async (t) => {
  const { page, source, plan } = await open(t);
  const second = "  push:\n    description: Push.\n    execution: auto\n    handler: push\n    timeout_seconds: 7\n";
  await source.fill(COURIER + second);
  await source.press("Control+Home");
  for (let line = 0; line < 14; line++) await source.press("ArrowDown");
  await plan.getByText("One attempt of at most 7 s").waitFor();
  await page.getByLabel("Step", { exact: true }).selectOption("pull");
  await plan.getByText("Up to 3 attempts").waitFor();
});

test("each example of the repository can be opened", async (t) => {
  const { page, complaints } = await open(t);
  const picker = page.getByLabel("Example");
  for (const name of await picker.locator("option").allInnerTexts()) {
    await picker.selectOption(name);
    const text = await readFile(new URL(`../../examples/${name}/workflow.yaml`, import.meta.url), "utf8");
    assert.equal(await page.getByRole("textbox", { name: "Workflow file" }).inputValue(), text);
  }
  assert.deepEqual(complaints, []);
});

test("a paste of 5 MB of brackets gives a message, not a dead page", async (t) => {
  const { page, complaints, source, problems } = await open(t);
  await source.evaluate((field) => {
    field.value = "[".repeat(5_000_000);
    field.dispatchEvent(new Event("input"));
  });
  assert.match(await problems.first().textContent(), /Error/);
  await source.fill(COURIER);
  await page.getByRole("status").filter({ hasText: "Valid: courier v1" }).waitFor();
  assert.deepEqual(complaints, []);
});

for (const colorScheme of ["light", "dark"]) {
  for (const width of [360, 1280]) {
    test(`nothing stands in the way of anybody: ${colorScheme}, ${width} px`, async (t) => {
      // The page's own policy would not let the checker in.
      const { page } = await open(t, { colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
      await page.addScriptTag({ path: AXE });
      const { violations } = await page.evaluate(() =>
        globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }),
      );
      assert.deepEqual(
        violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)]),
        [],
      );
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.equal(overflow, 0);
    });
  }
}
