// UTF-8 where the host has no codec of its own: as the platform's.

import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSource } from "./source.mjs";

const { PlainDecoder, PlainEncoder } = await loadSource("pkg/src/text-codec.ts");
const TEXTS = ["", "a", "é", "日本", "🙂", "\0", "\u07ff\u0800\uffff\u{10000}\u{10ffff}", "a🙂é".repeat(1000)];
const BROKEN = ["\ud83d", "\ude42a", "\ud83d\ud83d\ude42", "é\udc00"];

test("texts become the same bytes, and the bytes the same texts", () => {
  for (const text of [...TEXTS, ...BROKEN]) {
    const bytes = new TextEncoder().encode(text);
    assert.deepEqual(new PlainEncoder().encode(text), bytes);
    assert.equal(new PlainDecoder().decode(bytes), new TextDecoder().decode(bytes));
  }
  assert.equal(new PlainDecoder().decode(), "");
});

test("a buffer that is too short has as many whole characters as fit", () => {
  for (const text of [...TEXTS.slice(0, -1), ...BROKEN]) {
    for (let length = 0; length < 16; length++) {
      const [plain, platform] = [new Uint8Array(length), new Uint8Array(length)];
      const told = new PlainEncoder().encodeInto(text, plain);
      assert.deepEqual(told, new TextEncoder().encodeInto(text, platform));
      assert.deepEqual(plain, platform);
    }
  }
});
