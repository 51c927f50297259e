// What axe finds in a page that lets no script in.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const AXE = await readFile(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Brings axe into `page`, by way of the debugger: the page's own policy stays on. */
export function withAxe(page) {
  return page.evaluate(AXE);
}

/** What it finds there, in few words. */
export async function faults(page) {
  const { violations } = await page.evaluate(
    (runOnly) => globalThis.axe.run(document, { runOnly, preload: false }),
    RULES,
  );
  return violations.map(({ id, nodes }) => [id, nodes.map(({ target, any }) => [`${target}`, any[0]?.message])]);
}
