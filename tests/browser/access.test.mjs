// Nothing stands in the way of anybody: each state of the page under axe, in each choice of colours, narrow and
// wide, at rest for those who ask for that, with the page's own policy on.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { faults, withAxe } from "./axe.mjs";
import { browser, server } from "./opened.mjs";
import { guard } from "./page.mjs";
import { bringTo, STATES } from "./states.mjs";

const LOOKS = [
  { width: 1280, colorScheme: "light", forcedColors: "none", reducedMotion: "no-preference" },
  { width: 1280, colorScheme: "dark", forcedColors: "none", reducedMotion: "reduce" },
  { width: 1280, colorScheme: "dark", forcedColors: "active", reducedMotion: "reduce" },
  { width: 3840, colorScheme: "light", forcedColors: "none", reducedMotion: "reduce" },
  { width: 320, colorScheme: "light", forcedColors: "active", reducedMotion: "no-preference" },
  { width: 320, colorScheme: "dark", forcedColors: "none", reducedMotion: "no-preference" },
  { width: 320, colorScheme: "light", forcedColors: "none", reducedMotion: "reduce" },
];

describe("nothing stands in the way of anybody", { concurrency: 2 }, () => {
  for (const [name, state] of Object.entries(STATES)) {
    test(name, async (t) => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      guard(t, page, server.url);
      await bringTo(page, server.url, state);
      await withAxe(page);
      for (const { width, ...media } of LOOKS) {
        const look = [width, ...Object.values(media)].join(" ");
        await page.emulateMedia(media);
        if (page.viewportSize()?.width !== width) await page.setViewportSize({ width, height: 900 });
        // Until colours have changed over.
        await page.waitForTimeout(media.reducedMotion === "reduce" ? 50 : 200);
        assert.deepEqual(await faults(page), [], look);
        const { scrolls, fits } = await page.evaluate(() => ({
          scrolls: document.documentElement.scrollWidth,
          fits: document.documentElement.clientWidth,
        }));
        assert.ok(scrolls <= fits, `${look}: ${scrolls - fits} px wider than the window`);
      }
    });
  }
});
