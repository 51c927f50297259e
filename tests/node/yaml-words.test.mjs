// The colours of the editor: what each word of a line is, and what a line leaves open.

import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSource } from "./source.mjs";

const { NOTHING_OPEN, wordsOf } = await loadSource("pkg/src/element/yaml-words.ts");

const FILE = [
  ["# a comment", "comment:# a comment"],
  ["id: w # note", "key:id mark:: text:w comment:# note"],
  [`"quoted key": 'it''s' # c`, `key:"quoted key" mark:: text:'it''s' comment:# c`],
  ["a-b.c: &x !tag *y", "key:a-b.c mark:: label:&x label:!tag label:*y"],
  ["  - one: 1.5", "mark:- key:one mark:: value:1.5"],
  ['  - "two', 'mark:- text:"two'],
  ['    more" # c', 'text:more" comment:# c'],
  [
    "  - [a, {c: true, d: ~}, http://x#y]",
    "mark:- mark:[ text:a mark:, mark:{ key:c mark:: value:true mark:, key:d mark:: value:~ mark:} mark:, text:http://x#y mark:]",
  ],
  ["description: |- # why", "key:description mark:: mark:|- comment:# why"],
  ["  text # no comment", "text:text # no comment"],
  ["", ""],
  ["  more: 1", "text:more: 1"],
  ["url: http://a.b/c#d it's", "key:url mark:: text:http://a.b/c#d it's"],
  ["m: [a,", "key:m mark:: mark:[ text:a mark:,"],
  ["  b: -1e5]", "key:b mark:: value:-1e5 mark:]"],
  ["<<: *x", "key:<< mark:: label:*x"],
  ["---", "mark:---"],
];

test("each word is what YAML takes it for", () => {
  let open = NOTHING_OPEN;
  for (const [line, expected] of FILE) {
    const found = wordsOf(line, open);
    open = found.open;
    const said = found.words.map(({ from, to, kind }) => `${kind}:${line.slice(from, to)}`).join(" ");
    assert.equal(said, expected, line);
  }
  assert.deepEqual(open, NOTHING_OPEN);
});

test("any line comes to its end, its words one after the other", () => {
  const pieces = [..."a1: -#\"'[]{}|>&*!,?~\\\t", ": ", " #", "---", "true"];
  for (let seed = 0; seed < 3000; seed++) {
    let number = seed * 2654435761;
    let line = "";
    for (let nth = 0; nth < 8; nth++) {
      number = (number * 1103515245 + 12345) % 2 ** 31;
      line += pieces[number % pieces.length];
    }
    const { words } = wordsOf(line, NOTHING_OPEN);
    let last = 0;
    for (const { from, to } of words) {
      assert.ok(last <= from && from < to && to <= line.length, JSON.stringify([line, words]));
      last = to;
    }
  }
});
