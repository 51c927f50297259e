// From a key on the keyboard to its squiggles, sentence and timeline, in a file of 1,000 lines, on a CPU
// slowed four times: in a bare editor, and in the page with all that is around it.
// Usage: node benches/editor.mjs [TIMES_SLOWED]

import { serveEditor } from "../tests/browser/editor.mjs";
import { costsOfKeys, KEYS, LONG_FILES } from "../tests/browser/keystroke.mjs";
import { openBrowser, servePage } from "../tests/browser/page.mjs";

const SLOWED = Number(process.argv[2] ?? 4);

const browser = await openBrowser();
for (const [place, serve] of Object.entries({ editor: serveEditor, page: servePage })) {
  for (const [what, source] of Object.entries(LONG_FILES)) {
    for (const [typed, keys] of Object.entries(KEYS)) {
      const server = await serve();
      const { laidOut, handedOver } = await costsOfKeys(browser, server.url, source, keys, SLOWED);
      server.close();
      console.log(`${place}, ${source.split("\n").length} lines, ${what}; ${typed}:`);
      console.log(`  laid out     ${figures(laidOut)}`);
      console.log(`  handed over  ${figures(handedOver)}`);
    }
  }
}
await browser.close();

function figures(times) {
  const sorted = times.sort((a, b) => a - b);
  const at = (part) => `${sorted[Math.floor(part * (sorted.length - 1))].toFixed(1)} ms`;
  return `median ${at(0.5)}, best ${at(0)}, 95 % under ${at(0.95)}`;
}
