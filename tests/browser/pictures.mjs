// Photographs the page in each of its states: `node tests/browser/pictures.mjs [FOLDER]`.

import { mkdir } from "node:fs/promises";
import { openBrowser, servePage } from "./page.mjs";
import { bringTo, STATES } from "./states.mjs";

const FOLDER = process.argv[2] ?? "www/pictures";
const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 360, height: 780 };
const VIEWS = {
  "wide-light": { viewport: WIDE, colorScheme: "light" },
  "wide-dark": { viewport: WIDE, colorScheme: "dark" },
  "narrow-light": { viewport: NARROW, colorScheme: "light" },
  "narrow-dark": { viewport: NARROW, colorScheme: "dark" },
  "forced-colours": { viewport: WIDE, colorScheme: "dark", forcedColors: "active" },
  narrowest: { viewport: { width: 320, height: 640 }, colorScheme: "light" },
  "4k": { viewport: { width: 3840, height: 2160 }, colorScheme: "light" },
  // As wide as what a sheet of A4 has between its margins.
  print: { viewport: { width: 718, height: 1000 }, colorScheme: "light", media: "print" },
};

/** The views that say something of every state, and those of the states that differ most. */
const EVERYWHERE = ["wide-light", "narrow-dark"];
const IN_ALL_VIEWS = ["plan", "settings", "what-if", "herd", "move", "problems"];

await mkdir(FOLDER, { recursive: true });
const [server, browser] = await Promise.all([servePage(), openBrowser()]);
try {
  for (const [view, options] of Object.entries(VIEWS)) {
    for (const [name, state] of Object.entries(STATES)) {
      if (EVERYWHERE.includes(view) || IN_ALL_VIEWS.includes(name)) await photograph(`${name}-${view}`, state, options);
    }
  }
  console.log(`The pictures are in ${FOLDER}.`);
} finally {
  await browser.close();
  server.close();
}

async function photograph(name, state, { media, ...options }) {
  const page = await browser.newPage({ ...options, reducedMotion: "reduce" });
  page.on("console", (message) => console.error(`${name}: ${message.text()}`));
  await bringTo(page, server.url, state);
  if (media === "print") {
    await page.emulateMedia({ media });
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.waitForTimeout(100);
  }
  const floats = (await page.locator(".cm-tooltip").count()) > 0;
  // No state is about what the pointer happens to rest on, but that of a card that it opened.
  if (!floats) await page.mouse.move(0, 0);
  // What floats over the text is seen where it is; the rest of a narrow page, whole.
  const fullPage = options.viewport.width < 1000 && !floats;
  await page.screenshot({ path: `${FOLDER}/${name}.png`, fullPage });
  await page.close();
}
