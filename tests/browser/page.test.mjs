// The playground by pointer and touch, and what goes wrong around it: what each part does is in the flows.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { browser, server } from "./opened.mjs";
import { COURIER, guard, visit } from "./page.mjs";

async function open(t, { fragment = "", expected, ...options } = {}) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  guard(t, page, server.url, expected);
  await visit(page, `${server.url}${fragment}`);
  const source = page.getByRole("textbox", { name: "Workflow file" });
  return {
    page,
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

test("the first example is there at once, with its problems and a plan", async (t) => {
  const { page, problems, sentence } = await open(t);
  await page.getByRole("status").filter({ hasText: "Valid: article-pipeline v3" }).waitFor();
  assert.ok((await problems.count()) > 1);
  assert.match(await sentence.innerText(), /3.*200.ms.*1.s/);
  const bars = page.getByRole("img", { name: /^Timeline of the attempts of fetch_source/ }).locator("rect");
  assert.equal(await bars.count(), 3);
  assert.equal(await page.getByRole("table").getByRole("row").count(), 4);
});

test("a half-written file keeps the plan of the step that can be read", async (t) => {
  const { fill, problems, sentence } = await open(t);
  await fill(`${COURIER}  next: [\n`);
  assert.match(await problems.first().textContent(), /YAML parse error/);
  assert.match(await sentence.innerText(), /3/);
});

test("by pointer: problems lead to their places and are mended, bars lead to their attempts", async (t) => {
  const { page, fill, problems, tab, text } = await open(t);
  await fill(COURIER.replace("max_attempts", "max_attempt"));
  await problems.first().click();
  await page.keyboard.insertText("max_attempts");
  assert.equal(await text(), COURIER);
  await fill(COURIER.replace("max_attempts", "max_attempt"));
  await page.locator(".mend").first().click();
  assert.equal(await text(), COURIER);
  await fill(COURIER.replace("max_attempts", "max_attempt"));
  await page.locator(".cm-lintRange").hover();
  await page.locator(".cm-diagnosticAction").click();
  assert.equal(await text(), COURIER);
  await tab("What if");
  await page.locator(".rehearsal rect").nth(1).click();
  const second = page.getByRole("group", { name: "Attempt 2" });
  await second.getByLabel("What happens").and(page.locator(":focus")).waitFor();
  await second.getByLabel("What happens").selectOption("ok");
  await page.getByText("Works after 2 attempts").waitFor();
});

test("a step whose limits cannot be read says so", async (t) => {
  const { fill, sentence } = await open(t);
  await fill(COURIER.replace("max_attempts: 3", "max_attempts: 0"));
  assert.match(await sentence.innerText(), /What pull says about its limits cannot be read; the problems say why/);
});

test("while limits cannot be read, what they were stays and is grey; in another file it is not there", async (t) => {
  const { page, fill } = await open(t);
  const plan = page.locator("#panel-plan .plan");
  await fill(COURIER);
  const drawn = await plan.innerHTML();
  const refused = COURIER.replace("max_attempts: 3", "max_attempts: 0");
  await fill(refused);
  await page.getByRole("group", { name: "The plan as it was before the problem" }).waitFor();
  assert.equal(await plan.innerHTML(), drawn);
  await fill(COURIER);
  await page.locator("#file").setInputFiles({ name: "a.yaml", mimeType: "text/yaml", buffer: Buffer.from(refused) });
  await page.locator(".problem.error").waitFor();
  assert.equal(await plan.isVisible(), false);
});

test("what a real run gave stays, however the page is turned, until something else is asked", async (t) => {
  const { page, fill, tab } = await open(t);
  await fill(COURIER);
  await tab("What if");
  await page.getByRole("button", { name: "Run ×10", exact: true }).click();
  await page.getByRole("heading", { name: "What happened" }).waitFor();
  await page.setViewportSize({ width: 1000, height: 700 });
  await page.locator(".code .cm-content").press("End");
  await page.waitForTimeout(500);
  assert.equal(await page.getByRole("heading", { name: "What happened" }).count(), 1);
  await page.getByLabel("Begin with").selectOption("hangs");
  await page.getByRole("heading", { name: "What would happen" }).waitFor();
});

test("a step is moved to another engine, with what is different there", async (t) => {
  const { page, fill, tab } = await open(t);
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
});

test("a herd of more calls than can be drawn is refused before anything stands still", async (t) => {
  const { page, fill, tab } = await open(t);
  await fill(COURIER.replace("max_attempts: 3", "max_attempts: 200000"));
  await tab("Herd");
  await page.getByText("That many calls cannot be drawn here").waitFor({ timeout: 3000 });
  await page.getByRole("spinbutton", { name: "Workers" }).fill("1");
  await page.getByRole("img", { name: /^With full jitter/ }).waitFor();
});

test("where WebAssembly is not allowed, the page says so and what to change", async (t) => {
  const page = await browser.newPage();
  guard(t, page, server.url, [/wasm-unsafe-eval/]);
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
  guard(t, page, server.url, [/net::ERR_FAILED/, /blocked by Playwright/]);
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

test("files are opened and saved as they are, and what is no text is refused", async (t) => {
  const { page, text } = await open(t);
  const give = (name, content) =>
    page.locator("#file").setInputFiles({ name, mimeType: "", buffer: Buffer.from(content) });
  await give("windows.yaml", COURIER.replaceAll("\n", "\r\n"));
  await page.getByText("windows.yaml is open.").waitFor();
  assert.equal(await text(), COURIER.replaceAll("\n", "\r\n"));
  await give("picture.yaml", [0xff, 0xfe, 0x00]);
  await page.getByText("That file is no text in UTF-8.").waitFor();
  await give("long.yaml", "x".repeat(5_000_001));
  await page.getByText(/5\.1 MB long/).waitFor();
});

test("a paste of 5 MB of brackets gives a message, not a dead page", async (t) => {
  const { page, fill, problems } = await open(t);
  await fill("[".repeat(5_000_000));
  await problems.first().filter({ hasText: "Error" }).waitFor();
  await fill(COURIER);
  await page.getByRole("status").filter({ hasText: "Valid: courier v1" }).waitFor();
});

test("on a telephone in the dark the same can be done, by touch", async (t) => {
  const { page, fill, tab, text } = await open(t, {
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
});

test("the line above a retry block is never wider than what is seen of the text", async (t) => {
  const { page, fill } = await open(t, { viewport: { width: 360, height: 780 } });
  for (const attempts of [2, 20, 200, 2000, 20_000, 2_000_000_000]) {
    const comment = "# so that there is more of the text than is seen at once";
    await fill(COURIER.replace("max_attempts: 3 # enough", `max_attempts: ${attempts} ${comment}`));
    const room = await page.locator(".cm-step-retry-sentence").evaluate((line) => {
      const words = document.createRange();
      words.selectNodeContents(line);
      const right = Math.max(...Array.from(words.getClientRects(), (rect) => rect.right));
      return line.closest(".cm-scroller").getBoundingClientRect().right - right;
    });
    assert.ok(room > 0, `${attempts} attempts: ${room} px`);
  }
});
