// The page's server and a browser, there before a file's tests and gone after them.

import { after, before } from "node:test";
import { openBrowser, servePage } from "./page.mjs";

export let server;
export let browser;

before(async () => {
  [server, browser] = await Promise.all([servePage(), openBrowser()]);
});

after(async () => {
  await browser?.close();
  server?.close();
});
