// From a key on the keyboard to its squiggles, sentence and timeline, in a file of 1,000 lines, on a CPU
// slowed four times: in a bare editor, and in the page with all that is around it. And what a key costs where nothing
// is said about it, which no editor can be quicker than.
// Usage: node benches/editor.mjs [TIMES_SLOWED]

import { serveEditor, serveScript } from "../tests/browser/editor.mjs";
import { costsOfKeys, goToTheMiddle, KEYS, LONG_FILES } from "../tests/browser/keystroke.mjs";
import { openBrowser, servePage } from "../tests/browser/page.mjs";

const SLOWED = Number(process.argv[2] ?? 4);

/** Each place is visited so often, in turn, so that a busy time of the machine is not that of one of them. */
const ROUNDS = 3;

const NOTHING = "nothing to say";
const DIGIT = "a digit, another plan";
const SEEN = "height: 860px; width: 600px; overflow: auto;";

/** An editor with nothing around it, written as whoever compares would write it. */
const BARE = `
  import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
  import { EditorView, keymap } from "@codemirror/view";
  const extensions = [history(), keymap.of([...defaultKeymap, ...historyKeymap])];
  globalThis.view = new EditorView({ doc: "", extensions, parent: document.querySelector("main") });
  view.dom.style.height = "860px";`;

/** Where nothing is said about what is typed. */
const FLOORS = {
  "an element of one line that can be edited": {
    serve: () => serveScript("", '<div contenteditable style="width: 600px">timeout_seconds: 30</div>'),
    go: (page) => page.locator("div").press("End"),
  },
  "a <textarea>": {
    serve: () => serveScript("", `<textarea style="${SEEN}"></textarea>`),
    go: (page) => page.locator("textarea").evaluate(goInField, LONG_FILES[NOTHING]),
  },
  "CodeMirror with its history and keymap": {
    serve: () => serveScript(BARE, "<main></main>"),
    go: (page) => page.waitForFunction(() => globalThis.view).then(() => page.evaluate(goInView, LONG_FILES[NOTHING])),
  },
};

const PLACES = [
  ...Object.entries(FLOORS).map(([name, floor]) => ({ name, ...floor, keys: KEYS[DIGIT] })),
  ...Object.entries({ "the editor of docs/editor.md": serveEditor, "the playground": servePage }).flatMap(
    ([place, serve]) =>
      Object.entries(LONG_FILES).flatMap(([what, source]) =>
        Object.entries(KEYS).map(([typed, keys]) => {
          const name = `${place}, ${what}; ${typed}`;
          return { name, serve: () => serve(), go: (page) => goToTheMiddle(page, source), keys };
        }),
      ),
  ),
];

/** Puts the cursor of a field behind the number of a step in the middle. */
function goInField(field, source) {
  field.value = source;
  field.focus();
  const at = source.indexOf("timeout_seconds: 30", source.length / 2) + "timeout_seconds: 30".length;
  field.setSelectionRange(at, at);
}

/** The same in an editor. */
function goInView(source) {
  const { view } = globalThis;
  const anchor = source.indexOf("timeout_seconds: 30", source.length / 2) + "timeout_seconds: 30".length;
  view.dispatch({ changes: { from: 0, insert: source } });
  view.dispatch({ selection: { anchor }, scrollIntoView: true });
  view.focus();
}

const browser = await openBrowser();
const costs = PLACES.map(() => ({ laidOut: [], handedOver: [] }));
for (let round = 0; round < ROUNDS; round++) {
  for (const [at, { serve, go, keys }] of PLACES.entries()) {
    const server = await serve();
    const { laidOut, handedOver } = await costsOfKeys(browser, server.url, go, keys, SLOWED);
    server.close();
    costs[at].laidOut.push(...laidOut);
    costs[at].handedOver.push(...handedOver);
  }
}
await browser.close();

for (const [at, { name }] of PLACES.entries()) {
  console.log(`${name}:`);
  console.log(`  laid out     ${figures(costs[at].laidOut)}`);
  console.log(`  handed over  ${figures(costs[at].handedOver)}`);
}

function figures(times) {
  const sorted = times.sort((a, b) => a - b);
  const at = (part) => `${sorted[Math.floor(part * (sorted.length - 1))].toFixed(1)} ms`;
  return `median ${at(0.5)}, best ${at(0)}, 95 % under ${at(0.95)}`;
}
