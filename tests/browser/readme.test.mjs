// The page that README.md shows works as it stands, without a bundler.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { test } from "node:test";
import { snippets } from "../node/snippets.mjs";
import { openBrowser } from "./page.mjs";

const ROOT = new URL("../../", import.meta.url);

for (const path of ["README.md", "pkg/README.md"]) {
  test(`${path}: the page shows what it says`, async (t) => {
    const [{ code, prints }] = snippets(await readFile(new URL(path, ROOT), "utf8"), "html");
    const server = createServer(async (request, response) => {
      const isPage = request.url === "/";
      const module = () => readFile(new URL("pkg/dist/esm/index.js", ROOT));
      response
        .writeHead(200, { "content-type": isPage ? "text/html" : "text/javascript" })
        .end(isPage ? code : await module());
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    t.after(() => server.close());
    const browser = await openBrowser();
    t.after(() => browser.close());
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    assert.equal(`${await page.locator("#plan").filter({ hasText: /./ }).textContent()}\n`, prints);
  });
}
