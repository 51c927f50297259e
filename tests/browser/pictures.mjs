// Photographs the page in its main states: `node tests/browser/pictures.mjs [FOLDER]`.

import { mkdir } from "node:fs/promises";
import { openBrowser, openPage, servePage } from "./page.mjs";

const FOLDER = process.argv[2] ?? "www/pictures";
const VIEWS = [
  ["wide-light", { viewport: { width: 1280, height: 900 }, colorScheme: "light" }],
  ["wide-dark", { viewport: { width: 1280, height: 900 }, colorScheme: "dark" }],
  ["forced-colours", { viewport: { width: 1280, height: 900 }, forcedColors: "active" }],
  ["narrow-light", { viewport: { width: 360, height: 780 }, colorScheme: "light" }],
  ["narrow-dark", { viewport: { width: 360, height: 780 }, colorScheme: "dark" }],
];

const tab = (name) => (page) => page.getByRole("tab", { name }).click();

/** What is done before each picture. */
const STATES = {
  plan: async () => {},
  "plan-log": async (page) => {
    await page.getByLabel("Scale").selectOption("log");
    await page.getByLabel("Attempts of the client inside").fill("3");
  },
  settings: tab("Settings"),
  "what-if": tab("What if"),
  herd: async (page) => {
    await page.getByRole("combobox", { name: "Step", exact: true }).selectOption("publish");
    await tab("Herd")(page);
    await page.locator(".load").first().waitFor();
  },
  move: async (page) => {
    await tab("Move")(page);
    await page.getByLabel("Move to").selectOption("step-functions");
  },
  running: async (page) => {
    await tab("What if")(page);
    await page.getByLabel("Begin with").selectOption("down");
    await page.getByRole("button", { name: "Run ×1", exact: true }).click();
    await page.waitForTimeout(450);
    await page.getByRole("button", { name: "Pause" }).click();
    await page.waitForTimeout(60);
  },
  problem: async (page) => {
    await page.getByRole("textbox", { name: "Workflow file" }).focus();
    await page.keyboard.press("Control+Home");
    for (let line = 1; line < 28; line++) await page.keyboard.press("ArrowDown");
    const mark = page.locator(".cm-lintRange").first();
    await mark.hover();
    await page.locator(".cm-tooltip-lint").waitFor();
  },
  completion: async (page) => {
    await page.evaluate(() => globalThis.scrollTo(0, 0));
    await page.getByText("max_attempts").first().click();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+Space");
    await page.waitForTimeout(400);
  },
  plain: (page) => page.getByLabel("Plain text field").check(),
};

await mkdir(FOLDER, { recursive: true });
const [server, browser] = await Promise.all([servePage(), openBrowser()]);
for (const [view, options] of VIEWS) {
  for (const [state, arrange] of Object.entries(STATES)) {
    const { page, complaints } = await openPage(browser, server.url, options);
    await arrange(page);
    const fullPage = options.viewport.width < 1000;
    await page.screenshot({ path: `${FOLDER}/${state}-${view}.png`, fullPage });
    for (const complaint of complaints) console.error(`${state}-${view}: ${complaint}`);
    await page.close();
  }
}
await browser.close();
server.close();
console.log(`The pictures are in ${FOLDER}.`);
