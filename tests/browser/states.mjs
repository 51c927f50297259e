// The states that the page can be in, each with how one gets there: for the pictures, and for whoever looks at all.

import { COURIER } from "./page.mjs";

/** A limit in all that cuts an attempt and keeps others from starting. */
const CLIPPED = COURIER.replace("timeout_seconds: 1", "timeout_seconds: 30").replace(
  "max_attempts: 3 # enough\n      base_delay_ms: 100\n",
  "max_attempts: 8\n      backoff: exponential\n      base_delay_ms: 2000\n      on_timeout: true\n      total_timeout_seconds: 90\n    idempotent: true\n",
);

const MANY = `id: long\nname: Long\nversion: 1\nsteps:\n${Array.from(
  { length: 300 },
  (_, at) =>
    `  step_${at}:\n    description: Does its part.\n    execution: auto\n    handler: part\n    timeout_seconds: ${at + 1}\n    retry:\n      max_attempts: ${(at % 9) + 1}\n      base_delay_ms: 100\n`,
).join("")}`;

const WRONG = `${COURIER.replace("max_attempts: 3", "max_attempts: 0").replace("handler", "handlr").replace("timeout_seconds: 1", "timeout_second: 1")}      backoff: exponentail\n      on_timeout: yes\n`;

const source = (page) => page.getByRole("textbox", { name: "Workflow file" });

async function write(page, text) {
  await source(page).focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
  await page.waitForTimeout(100);
}

const tab = (name) => async (page) => {
  await page.getByRole("tab", { name }).click();
  await page.getByRole("tabpanel", { name }).locator("input:visible, select:visible").first().waitFor();
};

const holds = (text) => (page) => write(page, text);

/** Takes the cursor to the end of `line` of `text`. */
async function cursorIn(page, text, line) {
  await write(page, text);
  await page.keyboard.press("Control+Home");
  for (let at = 1; at < line; at++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
}

const step = (page) => page.getByRole("combobox", { name: "Step", exact: true });

/** What is done after the page was opened; `at` is where, if it is not the page itself. */
export const STATES = {
  plan: {},
  "plan-log": {
    arrange: async (page) => {
      await page.getByLabel("Scale").selectOption("log");
      await page.getByLabel("Jitter").selectOption("equal");
      await page.getByLabel("Attempts of the client inside").fill("3");
    },
  },
  "plan-clipped": { arrange: holds(CLIPPED) },
  "plan-unbounded": { arrange: holds(COURIER.replace("max_attempts: 3", "max_attempts: 2000000000")) },
  "plan-past": {
    arrange: async (page) => {
      await write(page, COURIER);
      await write(page, COURIER.replace("max_attempts: 3", "max_attempts: "));
    },
  },
  "plan-once": { arrange: (page) => step(page).selectOption("write_draft") },
  "plan-long-name": { arrange: holds(COURIER.replaceAll("pull", "pull_what_the_courier_has_left_at_the_back_door")) },
  settings: { arrange: tab("Settings") },
  "settings-refused": {
    arrange: async (page) => {
      await write(
        page,
        COURIER.replace("execution: auto\n    handler: pull", "execution: guard\n    abort_unless: ok"),
      );
      await tab("Settings")(page);
    },
  },
  "what-if": { arrange: tab("What if") },
  "what-if-failed": {
    arrange: async (page) => {
      await write(page, CLIPPED);
      await tab("What if")(page);
      await page.getByLabel("Begin with").selectOption("hangs");
      await page.getByText("The record").click();
    },
  },
  running: {
    arrange: async (page) => {
      await tab("What if")(page);
      await page.getByLabel("Begin with").selectOption("down");
      await page.getByRole("button", { name: "Run ×1", exact: true }).click();
      await page.waitForTimeout(450);
      await page.getByRole("button", { name: "Pause" }).click();
      await page.waitForTimeout(60);
    },
  },
  ran: {
    arrange: async (page) => {
      await tab("What if")(page);
      await page.getByRole("button", { name: "Run ×10", exact: true }).click();
      await page.getByRole("heading", { name: "What happened" }).waitFor();
    },
  },
  aborted: {
    arrange: async (page) => {
      await tab("What if")(page);
      await page.getByLabel("Begin with").selectOption("hangs");
      await page.getByRole("button", { name: "Run ×1", exact: true }).click();
      await page.waitForTimeout(300);
      await page.getByRole("button", { name: "Abort" }).click();
      await page.getByText(/^Aborted after/).waitFor();
    },
  },
  herd: {
    arrange: async (page) => {
      await step(page).selectOption("publish");
      await tab("Herd")(page);
      await page.locator(".load").first().waitFor();
    },
  },
  "herd-shared": {
    arrange: async (page) => {
      await step(page).selectOption("publish");
      await tab("Herd")(page);
      await page.getByLabel("Shared retries").fill("20");
    },
  },
  "herd-too-many": {
    arrange: async (page) => {
      await write(page, COURIER.replace("max_attempts: 3", "max_attempts: 200000"));
      await tab("Herd")(page);
      await page.getByRole("spinbutton", { name: "Workers" }).fill("100000");
    },
  },
  move: {
    arrange: async (page) => {
      await tab("Move")(page);
      await page.getByLabel("Move to").selectOption("step-functions");
    },
  },
  bring: {
    arrange: async (page) => {
      await tab("Move")(page);
      await page.getByText("Bring a policy from another").click();
      await page.getByLabel("Its origin").selectOption("p-retry");
    },
  },
  "bring-refused": {
    arrange: async (page) => {
      await tab("Move")(page);
      await page.getByText("Bring a policy from another").click();
      await page.getByRole("textbox", { name: "Its settings" }).fill("retry three times");
    },
  },
  problems: { arrange: holds(WRONG) },
  "problem-card": {
    arrange: async (page) => {
      await write(page, WRONG);
      await page.locator(".cm-lintRange").first().hover();
      await page.locator(".cm-tooltip-lint").waitFor();
    },
  },
  "problem-list": {
    arrange: async (page) => {
      await write(page, WRONG);
      await page.keyboard.press("Control+Shift+M");
      await page.getByRole("menu", { name: "Problems" }).waitFor();
    },
  },
  "quick-fixes": {
    arrange: async (page) => {
      await cursorIn(page, COURIER.replace("    retry:", "    retry:\n      on_timeout: true"), 11);
      await page.keyboard.press("Control+.");
      await page.getByRole("menu", { name: "Quick fixes" }).waitFor();
    },
  },
  outline: {
    arrange: async (page) => {
      await source(page).focus();
      await page.keyboard.press("Control+Shift+O");
      await page.getByRole("menuitem").first().waitFor();
    },
  },
  completion: {
    arrange: async (page) => {
      await cursorIn(page, COURIER, 12);
      await page.keyboard.press("Enter");
      await page.keyboard.press("Control+Space");
      await page.locator(".cm-tooltip-autocomplete").waitFor();
      await page.waitForTimeout(300);
    },
  },
  "key-card": {
    arrange: async (page) => {
      await cursorIn(page, COURIER, 9);
      await page.keyboard.press("Alt+F1");
      await page.locator(".cm-step-retry-key").waitFor();
    },
  },
  plain: {
    arrange: async (page) => {
      await page.getByLabel("Plain text field").check();
      await page.locator("textarea").waitFor();
    },
  },
  "plain-problems": {
    arrange: async (page) => {
      await page.getByLabel("Plain text field").check();
      await write(page, WRONG);
    },
  },
  empty: { arrange: holds("") },
  "no-steps": { arrange: holds("id: courier\nname: Courier\nversion: 1\nsteps: {}\n") },
  "no-yaml": { arrange: holds(`${COURIER}  next: [\n`) },
  "no-retry": { arrange: holds(COURIER.slice(0, COURIER.indexOf("    retry"))) },
  "many-steps": { arrange: holds(MANY) },
  "bad-link": { at: "#v1=AAAA" },
  message: {
    arrange: async (page) => {
      await page.locator("#file").setInputFiles({ name: "a.yaml", mimeType: "", buffer: Buffer.from([0xff, 0xfe]) });
      await page.getByText("That file is no text in UTF-8.").waitFor();
    },
  },
  dropping: {
    arrange: async (page) => {
      const files = await page.evaluateHandle(() => {
        const data = new DataTransfer();
        data.items.add(new File(["id: x"], "x.yaml"));
        return data;
      });
      await page.locator("main").dispatchEvent("dragover", { dataTransfer: files });
    },
  },
  embed: { at: "embed.html" },
  "embed-touched": {
    at: "embed.html",
    arrange: async (page) => {
      await page.locator(".text").click();
      await page.locator(".cm-content").waitFor();
    },
  },
};

/** Brings `page` into the state of that name, on the playground at `url`. */
export async function bringTo(page, url, { at = "", arrange }) {
  await page.goto(new URL(at, url).href);
  await page
    .locator(at.startsWith("embed") ? "step-retry-playground .timeline" : "html.ready")
    .first()
    .waitFor();
  await arrange?.(page);
}
