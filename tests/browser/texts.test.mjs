// Every English text that is seen stands in one file; none hides in the page's markup or code.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const TEXTS = "pkg/src/element/texts.ts";
const SOURCES = ["www/src", "pkg/src/element"].flatMap((folder) =>
  readdirSync(`${ROOT}${folder}`)
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name}`),
);

/** Two words, or one that begins as a sentence does: what is no name in a program. */
const ENGLISH = /\p{L}{2,}[,;.!?]? \p{L}|^\p{Lu}\p{Ll}{2,}\b(?!\w)/u;
/** A value of a style, and no text. */
const STYLE = /var\(--/;
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
    const says = pieces.some((piece) => /\p{L}/u.test(piece)) && ENGLISH.test(text);
    if (says && !STYLE.test(text) && !isName(node)) found.push(`${name}: ${text}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
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
  const found = SOURCES.filter((name) => name !== TEXTS).flatMap((name) =>
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

test("the built page has its texts before any script is run", () => {
  const built = readFileSync(`${ROOT}www/dist/index.html`, "utf8");
  assert.match(built, /<h1>.*step-retry<\/h1>/);
  assert.match(built, /<h2 id="problems-heading">Problems<\/h2>/);
  assert.doesNotMatch(built, /\{\{/);
});
