// From a key on the keyboard to its squiggles, sentence and timeline, in a file of 1,000 lines, on a CPU
// slowed four times: in a bare editor, and in the page with all that is around it.
// Usage: node benches/editor.mjs [TIMES_SLOWED]
//
// What counts is the work of the page's own thread, in time of the processor, so that other programs do not
// count: up to where everything is laid out anew, and up to where the frame is handed over to be shown.

import { serveEditor } from "../tests/browser/editor.mjs";
import { openBrowser, servePage } from "../tests/browser/page.mjs";
import { file } from "./workflow-file.mjs";

const STEPS = 77;
const KEYSTROKES = 24;
const SLOWED = Number(process.argv[2] ?? 4);
/** Longer than the pause after which the whole file is checked. */
const PAUSE_MS = 400;

/** Advice in each step is the worst case: a mistake takes all of it away, and its end brings it back. */
const SOURCES = {
  "advice in each step": file(STEPS),
  "nothing to say": file(STEPS).replaceAll("max_delay_ms: 5000", "max_delay_ms: 1500"),
};

/** A letter that makes a value wrong, and the key that takes it back. */
const KEYS = [
  { key: "x", text: "x", code: "KeyX", windowsVirtualKeyCode: 88 },
  { key: "Backspace", code: "Backspace", windowsVirtualKeyCode: 8 },
];

const CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline"];
const PAINTING = new Set(["PrePaint", "Paint", "Layerize", "Commit"]);

const browser = await openBrowser();
for (const [place, serve] of Object.entries({ editor: serveEditor, page: servePage })) {
  for (const [what, source] of Object.entries(SOURCES)) {
    const server = await serve();
    const events = await typeIn(server.url, source);
    server.close();
    const { laidOut, handedOver } = work(events);
    console.log(`${place}, ${source.split("\n").length} lines, ${what}:`);
    console.log(`  laid out     ${figures(laidOut)}`);
    console.log(`  handed over  ${figures(handedOver)}`);
  }
}
await browser.close();

/** What the browser notes down while keys are pressed in the middle of `source`. */
async function typeIn(url, source) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(url);
  await page.locator("html.ready .cm-content, #editor .cm-content").waitFor();
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(source);
  await page.keyboard.press("Control+Home");
  for (let line = 0; line < 4 + Math.floor(STEPS / 2) * 13 + 4; line++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  const line = await page.locator(".cm-activeLine").innerText();
  if (!line.includes("timeout_seconds: 30")) throw new Error(`the cursor is in '${line}'`);
  const devtools = await context.newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWED });
  await page.waitForTimeout(PAUSE_MS);
  await browser.startTracing(page, { categories: CATEGORIES });
  for (let nth = 0; nth < KEYSTROKES; nth++) {
    const { text, ...key } = KEYS[nth % KEYS.length];
    await devtools.send("Input.dispatchKeyEvent", { type: "keyDown", ...key, ...(text && { text }) });
    await devtools.send("Input.dispatchKeyEvent", { type: "keyUp", ...key });
    await page.waitForTimeout(PAUSE_MS);
  }
  const { traceEvents } = JSON.parse(await browser.stopTracing());
  await context.close();
  return traceEvents;
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

function figures(times) {
  const sorted = times.sort((a, b) => a - b);
  const at = (part) => `${sorted[Math.floor(part * (sorted.length - 1))].toFixed(1)} ms`;
  return `median ${at(0.5)}, best ${at(0)}, 95 % under ${at(0.95)}`;
}
