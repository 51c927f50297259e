// From keystroke to squiggles, sentence and layout in a file of 1,000 lines, on a CPU slowed four times.
// Usage: node benches/editor.mjs

import { serveEditor } from "../tests/browser/editor.mjs";
import { openBrowser } from "../tests/browser/page.mjs";
import { file } from "./workflow-file.mjs";

const STEPS = 77;
const KEYSTROKES = 60;
const SLOWED = 4;

const source = file(STEPS);

const [server, browser] = await Promise.all([serveEditor(), openBrowser()]);
const page = await browser.newPage();
await page.goto(server.url);
await page.locator(".cm-content").waitFor();
const devtools = await page.context().newCDPSession(page);
await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWED });
const times = await page.evaluate(
  async ({ insert, keystrokes }) => {
    const { view } = globalThis;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert } });
    const at = insert.indexOf("max_attempts: 3", insert.length / 2) + "max_attempts: ".length;
    view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
    const measured = [];
    for (let nth = 0; nth < keystrokes; nth++) {
      await new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve), 30));
      const start = performance.now();
      view.dispatch({ changes: { from: at, to: at + 1, insert: nth % 2 === 0 ? "0" : "4" } });
      document.body.getBoundingClientRect();
      measured.push(performance.now() - start);
    }
    return measured;
  },
  { insert: source, keystrokes: KEYSTROKES },
);
await browser.close();
server.close();
times.sort((a, b) => a - b);
const at = (part) => `${times[Math.floor(part * (times.length - 1))].toFixed(1)} ms`;
console.log(`${source.split("\n").length} lines: median ${at(0.5)}, best ${at(0)}, 95 % under ${at(0.95)}`);
