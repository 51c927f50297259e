// Everything that the playground does, as somebody does it who has a keyboard only: on a telephone's width and
// a desk's, light and dark, under the page's own policy.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { KeyboardUser } from "./keyboard.mjs";
import { browser, server } from "./opened.mjs";
import { COURIER, guard } from "./page.mjs";

const ROOT = new URL("../../", import.meta.url);
const SETTINGS = [360, 1280].flatMap((width) =>
  ["light", "dark"].map((colorScheme) => ({ viewport: { width, height: width < 1000 ? 780 : 900 }, colorScheme })),
);

const TWO_STEPS = `${COURIER}  push:\n    description: Push.\n    execution: auto\n    handler: push\n    timeout_seconds: 7\n`;
const SPOILT = COURIER.replace("max_attempts", "max_attempt").replace("handler: pull", "handlr:   pull");
const MENDED = COURIER.replace("handler: pull", "handler:   pull");

const FLOWS = {
  "a problem is underlined at its very place, marked at its line and listed": async (user) => {
    await user.write(COURIER.replace("max_attempts: 3", "max_attempts: 0"));
    assert.deepEqual(await user.page.locator(".cm-lintRange-error").allInnerTexts(), ["0"]);
    assert.equal(await user.page.locator(".cm-lint-marker-error").count(), 1);
    assert.match(await user.problems.first().innerText(), /Error\s*11:21\s*Step 'pull': 'retry\.max_attempts' must be/);
    await user.write(COURIER);
    assert.equal(await user.page.locator(".cm-lintRange").count(), 0);
  },

  "F8 goes to the next problem, Ctrl-. mends there": async (user) => {
    await user.write(COURIER.replace("max_attempts", "max_attempt"));
    await user.press("Control+Home", "F8");
    await user.press("Control+.");
    assert.equal(await user.text(), COURIER);
    await user.write(COURIER.replace("    retry:", "    retry:\n      on_timeout: true"));
    await user.press("Control+Home", "F8", "Control+.");
    const choices = user.page.getByRole("menu", { name: "Quick fixes" }).getByRole("menuitem");
    await choices.first().and(user.page.locator(":focus")).waitFor();
    await user.press("ArrowDown", "ArrowUp", "Enter");
    assert.notEqual(await user.text(), COURIER.replace("    retry:", "    retry:\n      on_timeout: true"));
    assert.equal(await user.problems.filter({ hasText: "Error" }).count(), 0);
  },

  "Ctrl-Shift-M lists the problems and goes to one": async (user) => {
    await user.write(SPOILT);
    await user.press("Control+Home", "Control+Shift+M");
    const listed = user.page.getByRole("menu", { name: "Problems" }).getByRole("menuitem");
    await listed.first().and(user.page.locator(":focus")).waitFor();
    const at = (await listed.allInnerTexts()).findIndex((text) => text.includes("'max_attempt'"));
    for (let way = 0; way < at; way++) await user.press("ArrowDown");
    await user.press("Enter");
    await user.page.keyboard.insertText("max_attempts");
    assert.equal(await user.text(), SPOILT.replace("max_attempt:", "max_attempts:"));
  },

  "all is mended at once, nothing else is touched, and one undo takes it back": async (user) => {
    await user.write(SPOILT);
    await user.press("Control+Shift+.");
    assert.equal(await user.text(), MENDED);
    await user.press("Control+z");
    assert.equal(await user.text(), SPOILT);
    await user.activate(user.button("Mend all"));
    assert.equal(await user.text(), MENDED);
  },

  "the list of problems leads to the place of each, and mends it": async (user) => {
    await user.write(COURIER.replace("max_attempts", "max_attempt"));
    await user.activate(user.problems.first());
    await user.page.keyboard.insertText("max_attempts");
    assert.equal(await user.text(), COURIER);
    await user.write(COURIER.replace("max_attempts", "max_attempt"));
    await user.activate(user.page.locator(".mend").first());
    assert.equal(await user.text(), COURIER);
    await user.page.getByRole("status").filter({ hasText: "Valid: courier v1" }).waitFor();
  },

  "each key tells its rule, unit and default": async (user) => {
    await user.write(COURIER);
    await user.toLine(12);
    await user.press("Home", "Alt+F1");
    const card = user.page.locator(".cm-step-retry-key");
    assert.match(await card.innerText(), /^base_delay_ms\n.*\n.*non-negative number\. In milliseconds\. Default 0/s);
    await user.press("ArrowRight");
    await card.waitFor({ state: "detached" });
  },

  "completion offers keys and values that fit": async (user) => {
    await user.write(COURIER);
    await user.toLine(12);
    await user.press("Enter", "Control+Space");
    const offered = user.page.locator(".cm-completionLabel");
    await offered.first().waitFor();
    assert.deepEqual(await offered.allInnerTexts(), ["backoff", "max_delay_ms", "on_timeout", "total_timeout_seconds"]);
    await user.page.keyboard.type("back");
    await user.page.getByRole("option").and(user.page.locator("[aria-selected]")).getByText("backoff").waitFor();
    // CodeMirror takes no answer in the blink after the list changed.
    await user.page.waitForTimeout(150);
    await user.press("Enter");
    await user.page.getByRole("option").getByText("exponential").waitFor();
    await user.page.waitForTimeout(150);
    await user.page.keyboard.type("exp");
    await user.page.waitForTimeout(150);
    await user.press("Enter");
    assert.match(await user.text(), /\n {6}backoff: exponential\n/);
  },

  "Enter behind a value that is typed in full begins the next line": async (user) => {
    await user.write(COURIER);
    await user.toLine(COURIER.split("\n").length - 1);
    await user.press("Enter");
    for (const line of ["backoff: linear", "on_timeout: true", "max_attempts: 1", "total_timeout_seconds: 9"]) {
      // A list of choices appears between the keys of somebody who does not hurry.
      await user.page.keyboard.type(line, { delay: 120 });
      await user.page.waitForTimeout(150);
      await user.press("Enter");
    }
    assert.match(
      await user.text(),
      /\n {6}backoff: linear\n {6}on_timeout: true\n {6}max_attempts: 1\n {6}total_timeout_seconds: 9\n/,
    );
  },

  "what was typed after a link was copied is there when the page is loaded anew": async (user) => {
    await user.write(COURIER);
    await user.activate(user.button("Copy link"));
    await user.page.waitForFunction(() => location.hash.startsWith("#v1="));
    await user.write(TWO_STEPS);
    await user.page.waitForFunction(() => location.hash === "");
    await user.page.reload();
    await user.page.locator("html.ready").waitFor();
    assert.equal(await user.text(), TWO_STEPS);
  },

  "the sentence stands above the block and beside it, and follows each keystroke": async (user) => {
    await user.write(COURIER);
    const above = user.page.locator(".cm-step-retry-sentence");
    assert.match(await above.innerText(), /Tries up to 3 times, waiting 100.ms/);
    assert.match(await user.sentence.innerText(), /^Tries up to 3 times, waiting 100.ms/);
    await user.write(COURIER.replace("max_attempts: 3", "max_attempts: 7"));
    assert.match(await above.innerText(), /up to 7 times/);
    assert.match(await user.sentence.innerText(), /up to 7 times/);
  },

  "the verdict counts what the list shows, the gravest and upper first": async (user) => {
    const { page } = user;
    await user.write(
      COURIER.replace("handler", "handlr").replace("max_attempts: 3", "tries: 2\n      max_attempts: 0"),
    );
    await page.getByText("Invalid: 2 errors, the first in line 8; 1 warning.").waitFor();
    const listed = await user.problems.locator(".severity, .place").allInnerTexts();
    assert.deepEqual(listed, ["Error", "8:5", "Error", "12:21", "Warning", "11:7"]);
    assert.equal(await page.locator("#example").inputValue(), "", "this is no example any more");
    await user.write(COURIER.replace("max_attempts: 3", "max_attempts: 0"));
    await page.getByText("Invalid: 1 error in line 11.").waitFor();
  },

  "why a step has no plan is said as it is": async (user) => {
    const once = COURIER.slice(0, COURIER.indexOf("    timeout"));
    await user.write(once);
    assert.equal(await user.sentence.innerText(), "pull is tried once; there is nothing to plan.");
    await user.write(once.replace("handler", "handlr"));
    assert.equal(
      await user.sentence.innerText(),
      "What pull says about its limits cannot be read; the problems say why.",
    );
    await user.write("id: courier\n");
    assert.equal(await user.page.getByRole("combobox", { name: "Step", exact: true }).count(), 0);
  },

  "a message stands until the next thing is done, and moves nothing": async (user) => {
    const { page } = user;
    const top = () => page.locator("main").evaluate((main) => main.getBoundingClientRect().top + scrollY);
    const before = await top();
    await user.activate(user.button("Start over"));
    await page.getByText("This is the example again").waitFor();
    assert.equal(await top(), before);
    await user.reach(user.source);
    await user.press("ArrowDown");
    assert.equal(await page.locator("#news").innerText(), "");
  },

  "the outline goes to a step, and the plan follows the cursor": async (user) => {
    await user.write(TWO_STEPS);
    await user.press("Control+Home", "Control+Shift+O");
    await user.page.getByRole("menuitem").first().and(user.page.locator(":focus")).waitFor();
    await user.press("ArrowDown", "Enter");
    await user.sentence.getByText(/7.s/).waitFor();
    await user.pick(user.page.getByRole("combobox", { name: "Step", exact: true }), "pull");
    await user.sentence.getByText(/100.ms/).waitFor();
  },

  "the plain text field does the same": async (user) => {
    await user.toggle(user.page.getByLabel("Plain text field"));
    await user.page.locator("textarea").waitFor();
    await user.write(COURIER.replace("max_attempts", "max_attempt"));
    assert.equal(await user.problems.count(), 1);
    await user.activate(user.problems.first());
    const selected = () => user.source.evaluate((field) => field.value.slice(field.selectionStart, field.selectionEnd));
    assert.equal(await selected(), "max_attempt");
    await user.activate(user.page.locator(".mend").first());
    assert.equal(await user.text(), COURIER);
    await user.reach(user.source);
    await user.press("Control+z");
    assert.equal(await user.problems.count(), 1);
    const mine = await user.text();
    await user.activate(user.button("Start over"));
    assert.match(await user.text(), /^# From a link/);
    await user.reach(user.source);
    await user.press("Control+z");
    assert.equal(await user.text(), mine);
    await user.toggle(user.page.getByLabel("Plain text field"));
    await user.page.locator(".cm-content").waitFor();
    assert.match(await user.text(), /max_attempt:/);
  },

  "the plan: picture, figures, table, under assumptions": async (user) => {
    await user.write(COURIER);
    const { page } = user;
    const first = page
      .getByRole("img", { name: /^Timeline of the attempts of pull/ })
      .locator("rect")
      .first();
    const linear = Number(await first.getAttribute("width"));
    await user.pick(page.getByLabel("Scale"), "logarithmic");
    assert.ok(Number(await first.getAttribute("width")) > linear);
    await user.pick(page.getByLabel("Jitter"), "full");
    await page.getByRole("cell", { name: "up to 100 ms" }).first().waitFor();
    await user.type(page.getByLabel("Attempts of the client inside"), "3");
    await page.locator(".figures").getByText("9", { exact: true }).waitFor();
    await user.type(page.getByLabel("An attempt takes"), "50");
    await page.getByText("Attempts of pull, each taking 50 ms").waitFor();
    await user.reach(page.getByRole("region", { name: /^Attempts of pull/ }));
  },

  "the form writes the text in place, follows it, and is undone as one": async (user) => {
    const { page } = user;
    await user.write(COURIER);
    await user.openTab("Settings");
    await user.type(page.getByRole("spinbutton", { name: "max_attempts" }), "5");
    const five = COURIER.replace("max_attempts: 3", "max_attempts: 5");
    assert.equal(await user.text(), five);
    await user.reach(page.getByRole("slider", { name: "max_attempts" }));
    await user.press("ArrowRight");
    assert.equal(await user.text(), five.replace("max_attempts: 5", "max_attempts: 6"));
    await user.pick(page.getByLabel("backoff"), "linear");
    assert.match(await user.text(), /\n {6}backoff: linear\n/);
    assert.equal(await page.getByLabel("on_timeout").isDisabled(), true);
    await page.getByText(/Needs idempotent: true/).waitFor();
    await user.toggle(page.getByLabel("idempotent", { exact: true }));
    await user.toggle(page.getByLabel("on_timeout"));
    assert.match(await user.text(), /idempotent: true\n {4}retry:.*on_timeout: true/s);
    const before = await user.text();
    await user.toggle(page.getByLabel("Try again when an attempt fails"));
    assert.doesNotMatch(await user.text(), /retry:/);
    await user.reach(user.source);
    await user.press("Control+z");
    assert.equal(await user.text(), before);
    assert.equal(await page.getByLabel("backoff").inputValue(), "linear");
  },

  "a number is typed anew in its place, and is gone when its field is left empty": async (user) => {
    const { page } = user;
    const noted = COURIER.replace("max_attempts: 3", "max_attempts: 3 # enough");
    const attempts = page.getByRole("spinbutton", { name: "max_attempts" });
    await user.write(noted);
    await user.openTab("Settings");
    await user.reach(attempts);
    await user.press("End", "Backspace");
    assert.deepEqual([await user.text(), await attempts.inputValue()], [noted, ""]);
    await user.press("5");
    assert.equal(await user.text(), noted.replace("3 # enough", "5 # enough"));
    await user.press("Control+a", "-");
    assert.equal(await user.text(), noted.replace("3 # enough", "5 # enough"));
    await user.press("2");
    assert.equal(await user.text(), noted.replace("3 # enough", "-2 # enough"));
    await user.press("Control+a", "2", "e", "1");
    assert.equal(await user.text(), noted.replace("3 # enough", "20 # enough"));
    await user.press("Control+a", "-", "Tab");
    assert.equal(await user.text(), noted.replace("3 # enough", "20 # enough"));
    assert.equal(await attempts.inputValue(), "20");
    await user.reach(attempts);
    await user.press("Control+a", "Backspace", "Tab");
    assert.doesNotMatch(await user.text(), /max_attempts/);
  },

  "the form shows what is refused as well, and takes it away": async (user) => {
    const { page } = user;
    const guard = COURIER.replace("execution: auto\n    handler: pull", "execution: guard\n    abort_unless: ok");
    await user.write(guard);
    await user.openTab("Settings");
    const limit = page.getByRole("spinbutton", { name: "timeout_seconds", exact: false }).first();
    assert.deepEqual([await limit.inputValue(), await limit.isDisabled()], ["1", true]);
    await user.activate(user.button("Clear timeout_seconds"));
    assert.equal(await page.getByLabel("Try again when an attempt fails").isChecked(), true);
    await user.toggle(page.getByLabel("Try again when an attempt fails"));
    assert.equal(await user.text(), guard.slice(0, guard.indexOf("    timeout_seconds")));
    await user.write(COURIER);
    await user.type(page.getByRole("spinbutton", { name: "max_attempts" }), "0");
    assert.equal(await page.getByRole("spinbutton", { name: "max_attempts" }).inputValue(), "0");
    assert.equal(await page.getByRole("spinbutton", { name: "base_delay_ms" }).inputValue(), "100");
  },

  "what if: each attempt is made to work, fail or hang": async (user) => {
    const { page } = user;
    await user.write(COURIER);
    await user.openTab("What if");
    await page.getByText("Works after 3 attempts, 800 ms in all.").waitFor();
    await user.pick(page.getByLabel("Begin with"), "always fails");
    await page.getByText(/Gives up after 3 attempts.*all attempts are used up/).waitFor();
    assert.match(await page.locator(".final-error").innerText(), /pull.*3 attempts/);
    await user.activate(user.button("Add an attempt"));
    const second = page.getByRole("group", { name: "Attempt 2" });
    await user.pick(second.getByLabel("What happens"), "works");
    await user.type(second.getByLabel("after"), "50");
    await page.getByText("Works after 2 attempts, 350 ms in all.").waitFor();
    await user.pick(second.getByLabel("What happens"), "fails for good");
    await page.getByText(/Gives up after 2 attempts/).waitFor();
    await user.pick(second.getByLabel("What happens"), "hangs");
    await page.locator(".rehearsal rect.timeout").first().waitFor();
    await user.type(page.getByRole("group", { name: "Attempt 1" }).getByLabel("server says wait"), "0.4");
    await page.getByText("Gives up after 2 attempts, 1.6 s in all").waitFor();
    await user.activate(user.button("Remove the last"));
    await user.activate(page.getByText("The record"));
    assert.match(await page.getByRole("region", { name: "The record" }).innerText(), /"outcome": "failed"/);
    await user.reach(page.getByRole("region", { name: "The record" }));
  },

  "it runs for real, at three speeds, is paused, goes on, and is aborted": async (user) => {
    const { page } = user;
    // A limit that is no matter of milliseconds at a hundred times the speed.
    await user.write(COURIER.replace("timeout_seconds: 1", "timeout_seconds: 60"));
    await user.openTab("What if");
    for (const speed of ["×10", "×100"]) {
      await user.activate(user.button(`Run ${speed}`));
      await page.getByRole("heading", { name: "What happened" }).waitFor();
      await page.getByText(/^Works after 3 attempts/).waitFor();
    }
    await user.pick(page.getByLabel("Begin with"), "hangs");
    await page.getByRole("heading", { name: "What would happen" }).waitFor();
    await user.activate(user.button("Run ×1"));
    await page.locator("rect.running").waitFor();
    await user.activate(user.button("Pause"));
    await page.waitForTimeout(1100);
    assert.equal(await page.getByRole("heading", { name: "Running" }).count(), 1);
    await user.activate(user.button("Go on"));
    await user.activate(user.button("Abort"));
    await page.getByText(/^Aborted after/).waitFor();
    assert.equal(await page.locator("rect.aborted").count(), 1);
    await page.getByRole("cell", { name: "aborted (STEP_ABORTED)" }).waitFor();
  },

  "runs one after the other share a stock of retries, until it is empty": async (user) => {
    const { page } = user;
    await user.write(COURIER.replace("timeout_seconds: 1", "timeout_seconds: 60"));
    await user.openTab("What if");
    await user.pick(page.getByLabel("Begin with"), "always fails");
    await user.type(page.getByLabel("Shared stock"), "3");
    await page.getByText("3 retries left").waitFor();
    await user.activate(user.button("Run ×10"));
    await page.getByText(/all attempts are used up/).waitFor();
    await page.getByText("1 retry left").waitFor();
    await user.activate(user.button("Run ×10"));
    await page.getByText(/the shared stock of retries is empty/).waitFor();
    await page.getByText("0 retries left").waitFor();
  },

  "the herd: the same workers with and without jitter": async (user) => {
    const { page } = user;
    await user.write(COURIER.replace("base_delay_ms: 100", "base_delay_ms: 8000"));
    await user.openTab("Herd");
    const pictures = page.getByRole("img", { name: /calls over time/ });
    await pictures.first().waitFor();
    assert.equal(await pictures.count(), 2);
    await user.type(page.getByRole("spinbutton", { name: "Workers" }), "20");
    await user.type(page.getByLabel("Service down for"), "0");
    await user.type(page.getByLabel("Then it takes"), "1000");
    assert.equal(await page.locator(".herd tbody tr").first().locator("td").nth(1).innerText(), "20");
    await user.pick(page.getByLabel("Jitter, to compare"), "equal");
    await page.getByRole("img", { name: /^With equal jitter/ }).waitFor();
    await user.type(page.getByRole("spinbutton", { name: "Workers" }), "500");
    await user.type(page.getByLabel("Service down for"), "60");
    const row = (at) => page.locator(".herd tbody tr").nth(at).locator("td");
    const calls = Number((await row(1).nth(1).innerText()).replaceAll(",", ""));
    await user.type(page.getByLabel("Shared retries"), "3");
    await page.getByRole("img", { name: /^With equal jitter and a shared stock of 3 retries a second/ }).waitFor();
    assert.ok(Number((await row(2).nth(1).innerText()).replaceAll(",", "")) < calls, "fewer calls than without");
  },

  "a step is moved to another engine, with what is different there": async (user) => {
    const { page } = user;
    await user.write(COURIER);
    await user.openTab("Move");
    await user.pick(page.getByLabel("Move to"), "AWS Step Functions");
    const settings = page.getByRole("region", { name: "The settings for AWS Step Functions" });
    await settings.getByText("MaxAttempts").waitFor();
    assert.ok((await page.locator(".losses li").count()) > 0);
    await user.activate(user.button("Copy the settings"));
    await page.getByText("Copied.").waitFor();
    assert.equal(await page.evaluate(() => globalThis.copied), await settings.textContent());
  },

  "a policy from elsewhere is read, told about and put into the step": async (user) => {
    const { page } = user;
    await user.write(COURIER);
    await user.openTab("Move");
    await user.activate(page.getByText("Bring a policy from another engine or library"));
    await user.pick(page.getByLabel("Its origin"), "p-retry");
    const field = page.getByRole("textbox", { name: "Its settings" });
    await user.type(field, "{ retries: 4, minTimeout: 250, // quick\n factor: 1 }");
    const here = page.getByRole("region", { name: "Here that is" });
    await here.getByText("max_attempts: 5").waitFor();
    await page.getByText("4 retries = 5 attempts").waitFor();
    await user.activate(user.button("Put it into pull"));
    await page.getByText("pull has it now; undoing takes it back.").waitFor();
    assert.match(await user.text(), /retry:\n {6}max_attempts: 5 # enough\n {6}base_delay_ms: 250\n/);
    await user.reach(user.source);
    await user.press("Control+z");
    assert.equal(await user.text(), COURIER);
    await user.type(field, "{ retries: -1 }");
    await page.locator(".bring .form-message").getByText("retries").waitFor();
    await user.type(field, "fetch('/secret')");
    await page.getByText("This cannot be read as settings").waitFor();
    assert.equal(await user.button("Put it into pull").isDisabled(), true);
  },

  "a link holds the file, the step and the tab": async (user, another) => {
    const { page } = user;
    await user.write(TWO_STEPS);
    await user.pick(page.getByRole("combobox", { name: "Step", exact: true }), "push");
    await user.openTab("What if");
    await user.activate(user.button("Copy link"));
    await page.getByText("Copied.").waitFor();
    const link = await page.evaluate(() => globalThis.copied);
    assert.equal(link, page.url());
    const other = await another(link);
    assert.equal(await other.text(), TWO_STEPS);
    await other.page.getByRole("tab", { name: "What if", selected: true }).waitFor();
    assert.equal(await other.page.locator("#step").inputValue(), "push");
    const broken = await another(`${link.slice(0, -9)}AAAA`);
    await broken.page.getByText("The link is damaged").waitFor();
  },

  "the plan is copied as Markdown": async (user) => {
    await user.write(COURIER);
    await user.activate(user.button("Copy as Markdown"));
    await user.page.getByText("Copied.").waitFor();
    const copied = await user.page.evaluate(() => globalThis.copied);
    assert.match(copied, /^\*\*pull\*\*: Tries up to 3 times.*\| attempt \|.*\| 3 \| 100 ms \|.*\(http.*#v1=/s);
  },

  "a text is kept for the next visit, until one starts over": async (user) => {
    const { page } = user;
    const mine = COURIER.replace("id: courier", "id: mine");
    await user.write(mine);
    await page.waitForFunction(() => localStorage.getItem("step-retry.text")?.startsWith("id: mine"));
    await page.reload();
    await page.locator("html.ready").waitFor();
    assert.equal(await user.text(), mine);
    await user.activate(user.button("Start over"));
    await page.getByText("This is the example again").waitFor();
    assert.match(await user.text(), /^# From a link/);
    assert.notEqual(await page.evaluate(() => localStorage.getItem("step-retry.text")), mine);
  },

  "a file is opened, and downloaded as it was": async (user) => {
    const { page } = user;
    const asked = page.waitForEvent("filechooser");
    await user.activate(user.button("Open a file"));
    const buffer = Buffer.from(`\uFEFF${COURIER.replaceAll("\n", "\r\n")}`);
    await (await asked).setFiles({ name: "windows.yaml", mimeType: "", buffer });
    await page.getByText("windows.yaml is open.").waitFor();
    assert.equal(await user.text(), COURIER);
    const download = async () => {
      const saved = page.waitForEvent("download");
      await user.activate(user.button("Download"));
      return saved;
    };
    const first = await download();
    assert.equal(first.suggestedFilename(), "courier.yaml");
    assert.deepEqual(await readFile(await first.path()), buffer);
    // It is the same file on the next visit, and what was there before it was opened is as it was.
    await page.waitForFunction(() => localStorage.getItem("step-retry.text")?.includes("courier"));
    await page.reload();
    await page.locator("html.ready").waitFor();
    assert.deepEqual(await readFile(await (await download()).path()), buffer);
    await user.pick(page.getByLabel("Example"), "nightly-sync");
    assert.doesNotMatch(await readFile(await (await download()).path(), "utf8"), /\r|^\uFEFF/);
    await user.reach(user.source);
    await user.press("Control+z");
    assert.deepEqual(await readFile(await (await download()).path()), buffer);
  },

  "each example can be opened": async (user) => {
    const picker = user.page.getByLabel("Example");
    const names = await picker.locator("option:not([hidden])").allInnerTexts();
    assert.ok(names.length >= 3);
    for (const name of names) {
      await user.pick(picker, name);
      const text = await readFile(new URL(`examples/${name}/workflow.yaml`, ROOT), "utf8");
      assert.ok(text.startsWith((await user.text()).slice(0, 200)));
    }
  },

  "the page works without a network once it has been seen": async (user) => {
    const { page } = user;
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.context().setOffline(true);
    try {
      await page.reload();
      await page.locator("html.ready").waitFor();
      await user.write(COURIER);
      for (const tab of ["Settings", "What if", "Herd", "Move"]) {
        await user.openTab(tab);
        await page.getByRole("tabpanel", { name: tab }).locator("input:visible, select:visible").first().waitFor();
      }
    } finally {
      await page.context().setOffline(false);
    }
  },

  "the page for frames: the element brings its editor when the keyboard comes": async (user, another) => {
    const { page } = await another("embed.html");
    await page.locator("step-retry-playground .timeline").waitFor();
    await page.keyboard.press("Tab");
    const framed = new KeyboardUser(page);
    await page.locator(".cm-content").and(page.locator(":focus")).waitFor();
    await framed.write(TWO_STEPS);
    await framed.pick(page.getByRole("combobox", { name: "Step" }), "push");
    await page.getByText(/Tries once; stops after 7.s/).waitFor();
    await user.frame();
  },
};

/**
 * There is one clipboard for
 * all who are here at once: what a page puts there is remembered.
 */
function settleIn() {
  const clipboard = navigator.clipboard;
  const write = clipboard.writeText.bind(clipboard);
  clipboard.writeText = (text) => {
    globalThis.copied = text;
    return write(text);
  };
}

describe("by keyboard", { concurrency: 2 }, () => {
  for (const setting of SETTINGS) {
    describe(`${setting.viewport.width} px, ${setting.colorScheme}`, () => {
      for (const [name, flow] of Object.entries(FLOWS)) {
        test(name, async (t) => {
          // One of its own: a page that goes keeps its text, and may do so when the next one is there already.
          const context = await browser.newContext({ ...setting, permissions: ["clipboard-write"] });
          t.after(() => context.close());
          await context.addInitScript(settleIn);
          const come = async (address) => {
            const page = await context.newPage();
            guard(t, page, server.url);
            await page.goto(new URL(address, server.url).href);
            if (!address.startsWith("embed")) await page.locator("html.ready").waitFor();
            return new KeyboardUser(page);
          };
          const user = await come("");
          await flow(user, come);
          const { scrolls, fits } = await user.page.evaluate(() => ({
            scrolls: document.documentElement.scrollWidth,
            fits: document.documentElement.clientWidth,
          }));
          assert.ok(scrolls <= fits, "the page is wider than its window");
        });
      }
    });
  }
});
