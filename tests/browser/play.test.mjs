// `cargo xtask play`: what is saved is built, and the page that is open is loaded anew.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { play } from "../../www/play.mjs";
import { browser } from "./opened.mjs";
import { guard, visit } from "./page.mjs";

/** Longer than it takes to see a change, and to reload the page. */
const WHILE_MS = 1500;

test("the page is loaded anew after each change that can be built, and stays after one that cannot", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "step-retry-"));
  await mkdir(join(folder, "deep"));
  const file = join(folder, "deep", "one.ts");
  await writeFile(file, "1");
  const builds = [];
  let goesWell = true;
  const build = async () => {
    builds.push(goesWell);
    return goesWell;
  };
  const served = await play(0, { sources: [folder], build });
  const page = await browser.newPage();
  guard(t, page, served.url);
  t.after(async () => {
    served.close();
    await rm(folder, { recursive: true });
  });
  await visit(page, served.url);
  const mark = () => page.evaluate(() => (globalThis.isOld = true));
  const isOld = () => page.evaluate(() => globalThis.isOld === true);

  await mark();
  await page.waitForTimeout(WHILE_MS);
  assert.ok(await isOld(), "nothing has changed");

  await writeFile(file, "22");
  await page.waitForFunction(() => globalThis.isOld === undefined);
  await page.locator("html.ready").waitFor();

  await mark();
  await writeFile(join(folder, "deep", "two.ts"), "a new one");
  await page.waitForFunction(() => globalThis.isOld === undefined);
  await page.locator("html.ready").waitFor();

  await mark();
  goesWell = false;
  await rm(file);
  await page.waitForTimeout(WHILE_MS);
  assert.ok(await isOld(), "the build has failed");
  assert.deepEqual(builds, [true, true, false]);
});
