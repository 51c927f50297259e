// From keystroke to squiggles, sentence and layout in a file of 1,000 lines, on a CPU slowed four times.
// Usage: node benches/editor.mjs

import { serveEditor } from "../tests/browser/editor.mjs";
import { openBrowser } from "../tests/browser/page.mjs";

const STEPS = 77;
const KEYSTROKES = 60;
const SLOWED = 4;

const step = (number) => `  step_${number}:
    description: Fetch record ${number}.
    execution: auto
    handler: fetch_record
    timeout_seconds: 30
    idempotent: true
    retry:
      max_attempts: 3
      backoff: exponential
      base_delay_ms: 1000
      max_delay_ms: 5000
      on_timeout: true
      total_timeout_seconds: 120
`;
const file = `id: w\nname: W\nversion: 1\nsteps:\n${Array.from({ length: STEPS }, (_, at) => step(at)).join("")}`;

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
  { insert: file, keystrokes: KEYSTROKES },
);
await browser.close();
server.close();
times.sort((a, b) => a - b);
const at = (part) => `${times[Math.floor(part * (times.length - 1))].toFixed(1)} ms`;
console.log(`${file.split("\n").length} lines: median ${at(0.5)}, best ${at(0)}, 95 % under ${at(0.95)}`);
