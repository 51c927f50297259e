// Types into the middle of a long file, and tells what each key cost the page's own thread.

import { file } from "../../benches/workflow-file.mjs";

const STEPS = 77;
const STEP_LINES = 13;
const KEYSTROKES = 24;
/** Longer than the pause after which the whole file is checked. */
const PAUSE_MS = 400;

/** Files of 1,000 lines. Advice in each step is the worst case: a mistake takes all of it away, and its end brings it back. */
export const LONG_FILES = {
  "advice in each step": file(STEPS),
  "nothing to say": file(STEPS).replaceAll("max_delay_ms: 5000", "max_delay_ms: 1500"),
};

const BACKSPACE = { key: "Backspace", code: "Backspace", windowsVirtualKeyCode: 8 };

/** What is typed behind a number, and the key that takes it back. */
export const KEYS = {
  "a digit, another plan": [{ key: "5", text: "5", code: "Digit5", windowsVirtualKeyCode: 53 }, BACKSPACE],
  "a letter, a mistake": [{ key: "x", text: "x", code: "KeyX", windowsVirtualKeyCode: 88 }, BACKSPACE],
};

const CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline"];
const PAINTING = new Set(["PrePaint", "Paint", "Layerize", "Commit"]);

/** Puts `source` into the editor of `page`, and the cursor behind the number of a step in its middle. */
export async function goToTheMiddle(page, source) {
  await page.locator("html.ready .cm-content, #editor .cm-content").waitFor();
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(source);
  await page.keyboard.press("Control+Home");
  const lines = 4 + Math.floor(STEPS / 2) * STEP_LINES + 4;
  for (let line = 0; line < lines; line++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  const line = await page.locator(".cm-activeLine").innerText();
  if (!line.includes("timeout_seconds: 30")) throw new Error(`the cursor is in '${line}'`);
}

/**
 * What each of `keys`, pressed in turn where `go` has put the cursor of the page at `url`, costs the page's own thread, in ms of the processor, so
 * that other programs do not count: up to where everything is laid out anew, and to where the frame is handed over to
 * be shown.
 */
export async function costsOfKeys(browser, url, go, keys, slowed = 1) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(url);
  await go(page);
  const devtools = await context.newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowed });
  await page.waitForTimeout(PAUSE_MS);
  await browser.startTracing(page, { categories: CATEGORIES });
  for (let nth = 0; nth < KEYSTROKES; nth++) {
    await press(devtools, keys[nth % keys.length]);
    await page.waitForTimeout(PAUSE_MS);
  }
  const { traceEvents } = JSON.parse(await browser.stopTracing());
  await context.close();
  return work(traceEvents);
}

/** Presses a key as a keyboard does. */
export async function press(devtools, { text, ...key }) {
  await devtools.send("Input.dispatchKeyEvent", { type: "keyDown", ...key, ...(text && { text }) });
  await devtools.send("Input.dispatchKeyEvent", { type: "keyUp", ...key });
}

/** The work that each key made, in ms. */
function work(events) {
  const keys = events.filter(({ name, args }) => name === "EventDispatch" && args.data?.type === "keydown");
  const { pid, tid } = keys[0];
  const own = events.filter((event) => event.pid === pid && event.tid === tid && event.tdur !== undefined);
  const sum = (some) => some.reduce((all, { tdur }) => all + tdur / 1000, 0);
  const found = { laidOut: [], handedOver: [] };
  for (const { ts } of keys) {
    const commits = own.filter(({ name, ts: at }) => name === "Commit" && at > ts);
    if (commits.length === 0) throw new Error("no frame follows a key");
    const frame = Math.min(...commits.map((commit) => commit.ts));
    const isWithin = (event) => event.ts + event.dur >= ts && event.ts <= frame;
    const tasks = own.filter((event) => event.name === "RunTask" && isWithin(event));
    const painting = own.filter((event) => PAINTING.has(event.name) && event.ts > ts && event.ts <= frame);
    // Painting one part is noted inside painting all.
    const outer = painting.filter(
      (event) =>
        !painting.some(
          (other) => other !== event && other.ts <= event.ts && other.ts + other.dur >= event.ts + event.dur,
        ),
    );
    found.handedOver.push(sum(tasks));
    found.laidOut.push(sum(tasks) - sum(outer));
  }
  return found;
}
