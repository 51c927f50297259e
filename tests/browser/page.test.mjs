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

async function open(t, options = {}) {
  const { page, complaints } = await openPage(browser, `${server.url}${options.fragment ?? ""}`, options);
  t.after(() => page.close());
  const source = page.getByRole("textbox", { name: "Workflow file" });
  return {
    page,
    complaints,
    source,
    problems: page.locator("#problems").locator(".problem"),
    sentence: page.locator("#sentence"),
    tab: (name) => page.getByRole("tab", { name }).click(),
    /** Puts `text` in place of the file, as a paste does. */
    fill: async (text) => {
      await source.focus();
      await page.keyboard.press("Control+a");
      await page.keyboard.insertText(text);
      await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen))));
    },
    /** The file, as its download has it. */
    text: async () => {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download" }).click(),
      ]);
      return readFile(await download.path(), "utf8");
    },
  };
}

const COURIER =
  "id: courier\nname: Courier\nversion: 1\nsteps:\n  pull:\n    description: Pull.\n    execution: auto\n    handler: pull\n    timeout_seconds: 1\n    retry:\n      max_attempts: 3 # enough\n      base_delay_ms: 100\n";

test("the first example is there at once, with its problems and a plan", async (t) => {
  const { page, complaints, problems, sentence } = await open(t);
  await page.getByRole("status").filter({ hasText: "Valid: article-pipeline v3" }).waitFor();
  assert.ok((await problems.count()) > 1);
  assert.match(await sentence.innerText(), /3.*200.ms.*1.s/);
  const bars = page.getByRole("img", { name: /^Timeline of the attempts of fetch_source/ }).locator("rect");
  assert.equal(await bars.count(), 3);
  assert.equal(await page.getByRole("table").getByRole("row").count(), 4);
  assert.deepEqual(complaints, []);
});

test("problems and plan follow each keystroke", async (t) => {
  const { page, complaints, fill, problems, sentence } = await open(t);
  await fill(COURIER);
  assert.equal(await problems.count(), 0);
  await fill(COURIER.replace("max_attempts: 3", "max_attempts: 0"));
  assert.match(
    await problems.first().innerText(),
    /Error\s*11:21\s*Step 'pull': 'retry\.max_attempts' must be a positive/,
  );
  assert.match(await sentence.innerText(), /No step has limits that can be read/);
  await page.keyboard.press("Control+z");
  assert.equal(await problems.count(), 0);
  assert.match(await sentence.innerText(), /3/);
  assert.deepEqual(complaints, []);
});

test("a half-written file keeps the plan of the step that can be read", async (t) => {
  const { fill, problems, sentence } = await open(t);
  await fill(`${COURIER}  next: [\n`);
  assert.match(await problems.first().textContent(), /YAML parse error/);
  assert.match(await sentence.innerText(), /3/);
});

test("a problem is a button that goes to its place, and beside it is one that mends it", async (t) => {
  const { page, fill, problems, text } = await open(t);
  await fill(COURIER.replace("max_attempts", "max_attempt"));
  await problems.first().focus();
  await page.keyboard.press("Enter");
  await page.keyboard.insertText("max_attempts");
  assert.equal(await text(), COURIER);
  await fill(COURIER.replace("max_attempts", "max_attempt"));
  await page.locator(".mend").first().click();
  assert.equal(await text(), COURIER);
  await fill(COURIER.replace("max_attempts", "max_attempt").replace("handler", "handlr"));
  await page.getByRole("button", { name: "Mend all" }).click();
  assert.equal(await text(), COURIER);
});

test("the plan is that of the step the cursor is in, or the one that is chosen", async (t) => {
  const { page, fill, sentence } = await open(t);
  const second = "  push:\n    description: Push.\n    execution: auto\n    handler: push\n    timeout_seconds: 7";
  await fill(COURIER + second);
  await sentence.getByText(/7/).waitFor();
  await page.getByRole("combobox", { name: "Step", exact: true }).selectOption("pull");
  await sentence.getByText(/100/).waitFor();
});

test("the plan can be seen on a logarithmic line, under jitter, with quick attempts and a client that retries", async (t) => {
  const { page, fill } = await open(t);
  await fill(COURIER);
  const first = page.locator(".timeline rect").first();
  const linear = Number(await first.getAttribute("width"));
  await page.getByLabel("Scale").selectOption("log");
  assert.ok(Number(await first.getAttribute("width")) > linear);
  await page.getByLabel("Jitter").selectOption("full");
  await page.getByRole("cell", { name: "up to 100 ms" }).first().waitFor();
  await page.getByLabel("Attempts of the client inside").fill("3");
  await page.locator(".figures").getByText("9", { exact: true }).waitFor();
  await page.getByLabel("An attempt takes").fill("50");
  await page.getByText("Attempts of pull, each taking 50 ms").waitFor();
});

test("the form writes the text in place, keeps comments, follows the text, and is undone as one", async (t) => {
  const { page, fill, tab, text, source } = await open(t);
  await fill(COURIER);
  await tab("Settings");
  await page.getByRole("spinbutton", { name: "max_attempts" }).fill("5");
  assert.equal(await text(), COURIER.replace("max_attempts: 3", "max_attempts: 5"));
  await page.getByLabel("backoff").selectOption("linear");
  assert.equal(await text(), `${COURIER.replace("max_attempts: 3", "max_attempts: 5")}      backoff: linear\n`);
  const onTimeout = page.getByLabel("on_timeout");
  assert.equal(await onTimeout.isDisabled(), true);
  await page.getByText(/Needs idempotent: true/).waitFor();
  await page.getByLabel("idempotent", { exact: true }).check();
  await onTimeout.check();
  assert.match(await text(), /idempotent: true\n {4}retry:.*on_timeout: true/s);
  await page.getByLabel("Try again when an attempt fails").uncheck();
  assert.doesNotMatch(await text(), /retry/);
  await source.focus();
  await page.keyboard.press("Control+z");
  assert.match(await text(), /on_timeout: true/);
  assert.equal(await onTimeout.isChecked(), true);
  await fill(COURIER);
  assert.equal(await page.getByRole("spinbutton", { name: "max_attempts" }).inputValue(), "3");
});

test("what if: the script of each attempt changes picture, sentence and record at once", async (t) => {
  const { page, complaints, fill, tab } = await open(t);
  await fill(COURIER);
  await tab("What if");
  await page.getByText("Works after 3 attempts, 800 ms in all.").waitFor();
  assert.equal(await page.locator(".rehearsal rect.failed").count(), 2);
  await page.getByLabel("Begin with").selectOption("down");
  await page.getByText(/Gives up after 3 attempts.*all attempts are used up/).waitFor();
  assert.match(await page.locator(".final-error").innerText(), /pull.*3 attempts/);
  await page.locator(".rehearsal rect").nth(1).click();
  const second = page.getByRole("group", { name: "Attempt 2" });
  await second.getByLabel("What happens").selectOption("ok");
  await page.getByText("Works after 2 attempts").waitFor();
  await second.getByLabel("What happens").selectOption("hang");
  await page.locator(".rehearsal rect.timeout").first().waitFor();
  await page.getByText("The record").click();
  assert.match(await page.getByRole("region", { name: "The record" }).innerText(), /"outcome": "failed"/);
  assert.deepEqual(complaints, []);
});

test("it runs for real, is paused, goes on, and is aborted", async (t) => {
  const { page, complaints, fill, tab } = await open(t);
  await fill(COURIER);
  await tab("What if");
  await page.getByRole("button", { name: "Run ×10", exact: true }).click();
  await page.getByRole("heading", { name: "What happened" }).waitFor();
  await page.getByText(/^Works after 3 attempts/).waitFor();
  // What was seen stays, however the page is turned, until the script or the step is another one.
  await page.setViewportSize({ width: 1000, height: 700 });
  await page.locator(".code .cm-content").press("End");
  await page.waitForTimeout(500);
  assert.equal(await page.getByRole("heading", { name: "What happened" }).count(), 1);
  await page.getByLabel("Begin with").selectOption("hangs");
  await page.getByRole("heading", { name: "What would happen" }).waitFor();
  await page.getByRole("button", { name: "Run ×1", exact: true }).click();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.waitForTimeout(1200);
  assert.equal(await page.getByRole("heading", { name: "Running" }).count(), 1);
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByRole("button", { name: "Abort" }).click();
  await page.getByText(/^Aborted after/).waitFor();
  assert.deepEqual(complaints, []);
});

test("the herd: the same workers with and without jitter, side by side", async (t) => {
  const { page, complaints, fill, tab } = await open(t);
  await fill(COURIER.replace("base_delay_ms: 100", "base_delay_ms: 8000"));
  await tab("Herd");
  const pictures = page.getByRole("img", { name: /calls over time/ });
  await pictures.first().waitFor();
  assert.equal(await pictures.count(), 2);
  const calls = async () => page.locator(".herd tbody tr").first().locator("td").nth(1).innerText();
  assert.match(await calls(), /^\d,\d{3}$/);
  await page.getByRole("spinbutton", { name: "Workers" }).fill("20");
  await page.getByLabel("Service down for").fill("0");
  await page.getByLabel("Then it takes").fill("1000");
  assert.equal(await calls(), "20");
  await page.getByLabel("Jitter, to compare").selectOption("equal");
  await page.getByRole("img", { name: /^With equal jitter/ }).waitFor();
  assert.deepEqual(complaints, []);
});

test("a step is moved to another engine, with what is different there", async (t) => {
  const { page, complaints, fill, tab } = await open(t);
  await fill(COURIER);
  await tab("Move");
  await page.getByRole("region", { name: "The settings for Temporal" }).waitFor();
  for (const target of await page.getByLabel("Move to").locator("option").all()) {
    await page.getByLabel("Move to").selectOption(await target.getAttribute("value"));
    await page
      .getByRole("region", { name: `The settings for ${await target.innerText()}` })
      .getByText(/\S/)
      .waitFor();
  }
  assert.deepEqual(complaints, []);
});

test("a link holds the file, the step and the tab; a broken one says so", async (t) => {
  const { page, fill, tab } = await open(t);
  await fill(COURIER);
  await tab("What if");
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.waitForFunction(() => location.hash.startsWith("#v1="));
  const fragment = await page.evaluate(() => location.hash);
  const other = await open(t, { fragment });
  assert.equal(await other.text(), COURIER);
  await other.page.getByRole("tab", { name: "What if", selected: true }).waitFor();
  const broken = await open(t, { fragment: `${fragment.slice(0, -9)}AAAA` });
  await broken.page.getByText("The link is damaged").waitFor();
  await broken.page.getByRole("status").filter({ hasText: "Valid: article-pipeline v3" }).waitFor();
});

test("where WebAssembly is not allowed, the page says so and what to change", async (t) => {
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.route(server.url, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace(" 'wasm-unsafe-eval'", "") });
  });
  await page.goto(server.url);
  await page.getByRole("status").filter({ hasText: "'wasm-unsafe-eval'" }).waitFor();
});

test("a part that cannot be fetched is told, and is there when the page is loaded again", async (t) => {
  const context = await browser.newContext({ serviceWorkers: "block" });
  t.after(() => context.close());
  const page = await context.newPage();
  await page.route(/code-source|rehearsal/, (route) => route.abort());
  await page.goto(server.url);
  await page.getByText("The editor could not be fetched").waitFor();
  assert.equal(await page.getByRole("textbox", { name: "Workflow file" }).count(), 1);
  await page.getByRole("tab", { name: "What if" }).click();
  await page.getByText("This part could not be fetched").waitFor();
  await page.unroute(/code-source|rehearsal/);
  await page.getByRole("tab", { name: "Plan" }).click();
  await page.reload();
  await page.getByRole("tab", { name: "What if" }).click();
  await page.getByLabel("Begin with").waitFor();
});

test("a link that is only looked at does not take the place of what is kept", async (t) => {
  const { page, fill, text } = await open(t);
  await fill(COURIER);
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.waitForFunction(() => location.hash.startsWith("#v1="));
  const address = page.url();
  await fill(COURIER.replace("courier", "mine"));
  await page.waitForFunction(() => localStorage.getItem("step-retry.text")?.startsWith("id: mine"));
  await page.goto("about:blank");
  await page.goto(address);
  await page.locator("html.ready").waitFor();
  assert.equal(await text(), COURIER);
  await page.waitForTimeout(600);
  assert.match(await page.evaluate(() => localStorage.getItem("step-retry.text")), /^id: mine/);
});

test("a text is kept for the next visit, until one starts over", async (t) => {
  const { page, fill, text } = await open(t);
  await fill(COURIER);
  await page.waitForFunction(() => localStorage.getItem("step-retry.text")?.startsWith("id: courier"));
  await page.reload();
  await page.locator("html.ready").waitFor();
  assert.equal(await text(), COURIER);
  await page.getByRole("button", { name: "Start over" }).click();
  assert.match(await text(), /^# From a link/);
});

test("files are opened and saved as they are, and what is no text is refused", async (t) => {
  const { page, text } = await open(t);
  const give = (name, content) =>
    page.locator("#file").setInputFiles({ name, mimeType: "", buffer: Buffer.from(content) });
  await give("windows.yaml", COURIER.replaceAll("\n", "\r\n"));
  await page.getByText("windows.yaml is open.").waitFor();
  assert.equal(await text(), COURIER.replaceAll("\n", "\r\n"));
  await give("picture.yaml", [0xff, 0xfe, 0x00]);
  await page.getByText("That file is no text.").waitFor();
  await give("long.yaml", "x".repeat(5_000_001));
  await page.getByText(/6 MB long/).waitFor();
});

test("each example of the repository can be opened", async (t) => {
  const { page, complaints, text } = await open(t);
  const picker = page.getByLabel("Example");
  for (const name of (await picker.locator("option").allInnerTexts()).slice(1)) {
    await picker.selectOption(name);
    assert.equal(
      await text(),
      await readFile(new URL(`../../examples/${name}/workflow.yaml`, import.meta.url), "utf8"),
    );
  }
  assert.deepEqual(complaints, []);
});

test("the plain text field does the same, and keeps text and undoing", async (t) => {
  const { page, complaints, fill, problems, text, source } = await open(t);
  await page.getByLabel("Plain text field").check();
  assert.equal(await source.evaluate((field) => field.tagName), "TEXTAREA");
  await fill(COURIER.replace("max_attempts", "max_attempt"));
  await page.locator(".mend").first().click();
  assert.equal(await text(), COURIER);
  assert.equal(await problems.count(), 0);
  await source.focus();
  await page.keyboard.press("Control+z");
  assert.equal(await problems.count(), 1);
  await problems.first().click();
  const selected = await source.evaluate((field) => field.value.slice(field.selectionStart, field.selectionEnd));
  assert.equal(selected, "max_attempt");
  await page.getByLabel("Plain text field").uncheck();
  await page.locator(".cm-content").waitFor();
  assert.match(await text(), /max_attempt:/);
  assert.deepEqual(complaints, []);
});

test("a paste of 5 MB of brackets gives a message, not a dead page", async (t) => {
  const { page, complaints, fill, problems } = await open(t);
  await fill("[".repeat(5_000_000));
  await problems.first().filter({ hasText: "Error" }).waitFor();
  await fill(COURIER);
  await page.getByRole("status").filter({ hasText: "Valid: courier v1" }).waitFor();
  assert.deepEqual(complaints, []);
});

test("the page works without a network once it has been seen", async (t) => {
  const { page } = await open(t);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.context().setOffline(true);
  await page.reload();
  await page.locator("html.ready").waitFor();
  await page.getByRole("status").filter({ hasText: "Valid" }).waitFor();
});

test("everything can be reached and worked by keyboard", async (t) => {
  const { page } = await open(t);
  await page.getByRole("tab", { name: "Plan" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.getByRole("tab", { name: "Settings", selected: true }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("End");
  await page.getByRole("tab", { name: "Move", selected: true }).and(page.locator(":focus")).waitFor();
  await page.getByLabel("Move to").waitFor();
  await page.keyboard.press("Tab");
  await page.getByLabel("Move to").and(page.locator(":focus")).waitFor();
  const source = page.getByRole("textbox", { name: "Workflow file" });
  await source.focus();
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement?.matches("#source *")), false, "Tab leaves the editor");
});

test("on a telephone in the dark the same can be done, by touch", async (t) => {
  const { page, complaints, fill, tab, text } = await open(t, {
    viewport: { width: 360, height: 780 },
    colorScheme: "dark",
    hasTouch: true,
    isMobile: true,
  });
  await fill(COURIER);
  await page.getByRole("tab", { name: "Settings" }).tap();
  await page.getByRole("slider", { name: "max_attempts" }).focus();
  await page.keyboard.press("ArrowRight");
  assert.equal(await text(), COURIER.replace("max_attempts: 3", "max_attempts: 4"));
  await tab("What if");
  await page.locator(".rehearsal rect").first().tap();
  await page.getByRole("group", { name: "Attempt 1" }).getByLabel("What happens").selectOption("ok");
  await page.getByText("Works after 1 attempt,").waitFor();
  await page.getByRole("button", { name: "Run ×100" }).tap();
  await page.getByRole("heading", { name: "What happened" }).waitFor();
  await page.getByLabel("Plain text field").tap();
  await fill(COURIER.replace("max_attempts", "max_attempt"));
  await page.locator(".mend").first().tap();
  assert.equal(await text(), COURIER);
  assert.deepEqual(complaints, []);
});

const STATES = {
  plan: async () => {},
  settings: (page) => page.getByRole("tab", { name: "Settings" }).click(),
  "what if": (page) => page.getByRole("tab", { name: "What if" }).click(),
  herd: (page) => page.getByRole("tab", { name: "Herd" }).click(),
  move: (page) => page.getByRole("tab", { name: "Move" }).click(),
  "plain field": (page) => page.getByLabel("Plain text field").check(),
};

for (const colorScheme of ["light", "dark"]) {
  for (const width of [320, 1280, 3840]) {
    test(`nothing stands in the way of anybody: ${colorScheme}, ${width} px`, async (t) => {
      // The page's own policy would not let the checker in.
      const { page } = await open(t, { colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
      await page.addScriptTag({ path: AXE });
      for (const [state, arrange] of Object.entries(STATES)) {
        await arrange(page);
        await page.waitForTimeout(250);
        const { violations } = await page.evaluate(() =>
          globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] }),
        );
        assert.deepEqual(
          violations.map(({ id, nodes }) => [state, id, nodes.map(({ target, any }) => [target, any[0]?.message])]),
          [],
        );
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        assert.equal(overflow, 0, `${state} is wider than the window`);
      }
    });
  }
}
