// The load of many workers as a picture: what is drawn where.

import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSource } from "./source.mjs";

const { drawLoad } = await loadSource("pkg/src/draw/load.ts");

const LOAD = { bucketMs: 1000, calls: [1000, 0, 40, 20], served: [0, 0, 20, 20], capacity: [0, 0, 20, 20] };
const OPTIONS = { width: 600, title: "Calls", endMs: 4000, most: 40, count: (calls) => `${calls}` };

function parts(picture, kind) {
  return picture.children.filter(({ attributes }) => attributes.class.split(" ")[0] === kind);
}

test("a bar for each bucket with calls, its served part inside", () => {
  const picture = drawLoad(LOAD, OPTIONS);
  const [first, second, third] = parts(picture, "calls").map(({ attributes }) => attributes);
  assert.equal(parts(picture, "calls").length, 3);
  assert.equal(second.height, 2 * third.height);
  const [served] = parts(picture, "served").map(({ attributes }) => attributes);
  assert.deepEqual([served.x, served.height], [second.x, second.height / 2]);
  assert.equal(first.height, second.height, "what is higher is cut off");
  assert.deepEqual(parts(picture, "mark")[0].children, ["▲ 1000"]);
});

test("the line of what the service takes begins when it is up, at its height", () => {
  const picture = drawLoad(LOAD, OPTIONS);
  const [limit] = parts(picture, "limit").map(({ attributes }) => attributes);
  const [, second] = parts(picture, "calls").map(({ attributes }) => attributes);
  assert.equal(limit.x1, second.x);
  assert.equal(limit.y1, second.y + second.height / 2);
  assert.deepEqual(parts(drawLoad({ ...LOAD, capacity: [0, 0, 0, 0] }, OPTIONS), "limit"), []);
});

test("ten thousand buckets are not ten thousand bars, and none of the highest is lost", () => {
  const calls = Array.from({ length: 10_000 }, (_, at) => (at === 7777 ? 40 : 1));
  const zeros = calls.map(() => 0);
  const picture = drawLoad({ bucketMs: 1, calls, served: zeros, capacity: zeros }, { ...OPTIONS, endMs: 10_000 });
  const bars = parts(picture, "calls");
  assert.ok(bars.length <= 200, `${bars.length}`);
  assert.equal(Math.max(...bars.map(({ attributes }) => attributes.height)), 120);
});
