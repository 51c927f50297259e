// Every English text that is seen stands in one file; none hides in the page's markup or code.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { loadSource } from "../node/source.mjs";
import { openBrowser } from "./page.mjs";

const { duration } = await loadSource("pkg/src/draw/duration.ts");

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const TEXTS = "pkg/src/element/texts.ts";
/** Those of the parts that are used without the page, and the sentences that the terminal says too. */
const OTHER_TEXTS = ["pkg/src/codemirror/texts.ts", "pkg/src/draw/texts.ts", "pkg/src/draw/words.ts"];
const SOURCES = ["www/src", "pkg/src/element", "pkg/src/codemirror", "pkg/src/draw"].flatMap((folder) =>
  readdirSync(`${ROOT}${folder}`)
    .filter((name) => name.endsWith(".ts") && name !== "terminal.ts")
    .map((name) => `${folder}/${name}`),
);

/** Two words, or one that begins as a sentence does: what is no name in a program. */
const ENGLISH = /\p{L}{2,}[,;.!?]? \p{L}|^\p{Lu}\p{Ll}{2,}\b(?!\w)/u;
/** A value of a style, and no text. */
const STYLE = /var\(--|^underline /;
/** Keys of a workflow file, which are called that in every language. */
const KEYS = new Set(["retry"]);
/** Signs for units, which are no words. */
const UNIT = /^m?s$/;
/** Which arguments of these are seen, the first and the last. */
const SEEN = {
  html: [2, 99],
  say: [1, 1],
  button: [0, 0],
  select: [0, 0],
  number: [0, 1],
  text: [3, 3],
  openMenu: [1, 1],
};
/** Attributes and properties that are read out or seen. */
const SPOKEN = /(^|[".])(aria-label|aria-description|title|alt|placeholder|textContent|innerText)"?$/;
/** Attributes that hold names, not words. */
const NAMES = new Set(["class", "className", "role", "type", "query"]);

/** The English in the code `source`. */
function englishIn(name, source) {
  const found = [];
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true);
  const visit = (node) => {
    const pieces = ts.isStringLiteralLike(node)
      ? [node.text]
      : ts.isTemplateExpression(node)
        ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]
        : [];
    // Whatever is filled in reads as a word.
    const text = pieces.join("some");
    const says = pieces.some((piece) => /\p{L}/u.test(piece)) && (ENGLISH.test(text) || isSeen(node, pieces));
    if (says && !STYLE.test(text) && !isName(node)) found.push(`${name}: ${text}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Whether `node` stands where whatever is there is shown, be it one small word. */
function isSeen(node, pieces) {
  const { parent } = node;
  if (pieces.every((piece) => UNIT.test(piece))) return false;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node && SPOKEN.test(parent.name.getText());
  if (ts.isBinaryExpression(parent)) return parent.right === node && SPOKEN.test(parent.left.getText());
  if (!ts.isCallExpression(parent)) return false;
  const [called, at] = [parent.expression.getText(), parent.arguments.indexOf(node)];
  if (called.endsWith(".setAttribute")) return at === 1 && SPOKEN.test(parent.arguments[0].getText());
  const [first, last] = SEEN[called] ?? [];
  return first <= at && at <= last && !KEYS.has(node.text);
}

/** Whether `node` stands where a program's names stand, or tells a programmer of a mistake. */
function isName(node) {
  const { parent } = node;
  if (ts.isPropertyAssignment(parent) && NAMES.has(parent.name.getText().replaceAll('"', ""))) return true;
  if (ts.isNewExpression(parent) && ts.isThrowStatement(parent.parent)) return true;
  if (ts.isImportDeclaration(parent) || ts.isLiteralTypeNode(parent)) return true;
  if (ts.isBinaryExpression(parent) && /===|!==|in/.test(parent.operatorToken.getText())) return true;
  if (ts.isPropertyAssignment(parent) && parent.name === node) return true;
  // A selector, an event, or the name of a key on the keyboard.
  const called = ts.isCallExpression(parent) ? parent.expression.getText() : "";
  return /(querySelector|querySelectorAll|matches|replaceSync|types\.includes)$/.test(called);
}

test("no code but the file of texts says anything in English", () => {
  assert.ok(englishIn(TEXTS, readFileSync(`${ROOT}${TEXTS}`, "utf8")).length > 80, "the search finds what there is");
  const found = SOURCES.filter((name) => name !== TEXTS && !OTHER_TEXTS.includes(name)).flatMap((name) =>
    englishIn(name, readFileSync(`${ROOT}${name}`, "utf8")),
  );
  assert.deepEqual(found, []);
});

test("the markup holds no text of its own", () => {
  for (const name of ["www/index.html", "www/embed.html"]) {
    const markup = readFileSync(`${ROOT}${name}`, "utf8");
    const between = markup.match(/>[^<]+(?=<)/g).map((text) => text.slice(1).trim());
    const spoken = [...markup.matchAll(/\s(?:alt|title|placeholder|aria-label|aria-description)="([^"]*)"/g)];
    const described = [...markup.matchAll(/name="description" content="([^"]*)"/g)];
    const texts = [...between, ...[...spoken, ...described].map(([, text]) => text)];
    assert.deepEqual(
      texts.filter((text) => /\p{L}/u.test(text.replaceAll(/\{\{\w+\}\}/g, ""))),
      [],
      name,
    );
    assert.ok(texts.some((text) => text.startsWith("{{")));
  }
});

test("the manifest says what the page says", () => {
  const { name, short_name, description } = JSON.parse(readFileSync(`${ROOT}www/dist/manifest.webmanifest`, "utf8"));
  const built = readFileSync(`${ROOT}www/dist/index.html`, "utf8");
  assert.deepEqual(name, built.match(/<title>(.*)<\/title>/)[1]);
  assert.deepEqual(description, built.match(/name="description" content="(.*)"/)[1]);
  assert.ok(built.includes(short_name));
  const source = readFileSync(`${ROOT}www/src/manifest.webmanifest`, "utf8");
  assert.doesNotMatch(source, /name": "(?!\{\{)|description": "(?!\{\{)/);
});

test("the units of time are called what the browser's own durations call them", async () => {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    const units = { days: "narrow", hours: "narrow", minutes: "short", seconds: "narrow", milliseconds: "short" };
    const platform = await page.evaluate(
      (options) =>
        new Intl.DurationFormat("en", options).format({ days: 4, hours: 3, minutes: 2, seconds: 5, milliseconds: 7 }),
      units,
    );
    const ours = [4 * 86_400_000 + 3 * 3_600_000, 125_000, 7].map(duration).join("");
    assert.equal(platform.replaceAll(/[\s,]/gu, ""), ours.replaceAll(" ", ""));
  } finally {
    await browser.close();
  }
});

test("the built page has its texts before any script is run", () => {
  const built = readFileSync(`${ROOT}www/dist/index.html`, "utf8");
  assert.match(built, /<h1>.*step-retry<\/h1>/);
  assert.match(built, /<h2 id="problems-heading">Problems<\/h2>/);
  assert.doesNotMatch(built, /\{\{/);
});
