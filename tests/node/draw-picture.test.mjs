// A plan as a picture: what is drawn where.

import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSource } from "./source.mjs";

const { drawPicture } = await loadSource("pkg/src/draw/svg.ts");
const { svgFile } = await loadSource("pkg/src/draw/svg-file.ts");
const { roundUp, ticks } = await loadSource("pkg/src/draw/ticks.ts");

const lane = (label, waitFromMs, startMs, endMs, more = {}) => ({
  label,
  waitFromMs,
  startMs,
  endMs,
  clipped: false,
  reachable: true,
  ...more,
});

const TIMELINE = {
  lanes: [
    lane("1", 0, 0, 1000),
    lane("2", 1000, 1500, 2000, { clipped: true }),
    lane("3-5", 2000, 2500, 2500, { reachable: false }),
  ],
  endMs: 2000,
  limitMs: 2000,
};

const picture = drawPicture(TIMELINE, { width: 500, title: "Timeline of fetch" });

/** All elements of a kind, by the first word of their class. */
function parts(kind) {
  return picture.children.filter(({ attributes }) => attributes.class.split(" ")[0] === kind);
}

test("it has a name for those who do not see it", () => {
  assert.deepEqual([picture.attributes.role, picture.attributes["aria-label"]], ["img", "Timeline of fetch"]);
});

test("each attempt that starts is a bar as long as it may run, a clipped one marked", () => {
  const [first, second, ...others] = parts("attempt");
  assert.deepEqual(others, []);
  assert.equal(first.attributes.width, 2 * second.attributes.width);
  assert.equal(second.attributes.x - first.attributes.x, 1.5 * first.attributes.width);
  assert.deepEqual([first.attributes.class, second.attributes.class], ["attempt", "attempt clipped"]);
});

test("a wait joins the end of one attempt to the start of the next", () => {
  const [wait, ...others] = parts("wait");
  const [first, second] = parts("attempt");
  assert.deepEqual(others, []);
  assert.deepEqual(
    [wait.attributes.x1, wait.attributes.x2],
    [first.attributes.x + first.attributes.width, second.attributes.x],
  );
});

test("attempts that never start are named, and the total limit is a line", () => {
  assert.deepEqual(
    parts("attempt-label").map(({ children }) => children[0]),
    ["1", "2", "3-5"],
  );
  assert.deepEqual(
    parts("unreached").map(({ children }) => children[0]),
    ["not reached"],
  );
  const [second] = parts("attempt").slice(-1);
  assert.equal(parts("limit")[0].attributes.x1, second.attributes.x + second.attributes.width);
});

test("an attempt too short to see still gets a bar", () => {
  const { children } = drawPicture(
    { lanes: [lane("1", 0, 0, 1), lane("2", 1, 86_400_000, 86_400_001)], endMs: 86_400_001, limitMs: null },
    { width: 500, title: "" },
  );
  for (const { attributes } of children.filter(({ name }) => name === "rect")) assert.ok(attributes.width >= 2);
});

test("the axis has round times, never more than there is room for", () => {
  assert.deepEqual([0.3, 7, 11, 22.5, 937, 1016, 2000].map(roundUp), [1, 7, 15, 25, 950, 1500, 2000]);
  assert.deepEqual(ticks(3600, 5), [0, 1000, 2000, 3000]);
  assert.deepEqual(ticks(95_000, 4), [0, 30_000, 60_000, 90_000]);
  assert.deepEqual(ticks(7_300_000, 5), [0, 1_800_000, 3_600_000, 5_400_000, 7_200_000]);
  assert.deepEqual(ticks(3, 2), [0, 2]);
  for (const endMs of [0.001, 1, 999, 1001, 59_999, 3_600_001, 86_400_000, 1e12, Number.MAX_VALUE]) {
    const marks = ticks(endMs, 6);
    assert.ok(marks.length >= 2 && marks.length <= 7, `${endMs}: ${marks}`);
    assert.ok(marks.every((mark) => mark <= endMs));
  }
});

test("on a logarithmic axis a short wait is still seen beside a long attempt", () => {
  const timeline = { lanes: [lane("1", 0, 0, 10), lane("2", 10, 20, 86_400_020)], endMs: 86_400_020, limitMs: null };
  const bars = (scale) =>
    drawPicture(timeline, { width: 500, title: "", scale }).children.filter(({ name }) => name === "rect");
  assert.ok(bars("linear")[0].attributes.width < 3);
  assert.ok(bars("log")[0].attributes.width > 15);
});

/** The times that are named below `endMs` at the end of attempts of these lengths, in a picture of this width. */
function named(endMs, lengths, { width, scale }) {
  const startOf = (index) => lengths.slice(0, index).reduce((sum, length) => sum + length, 0);
  const lanes = lengths.map((_, index) => lane("", startOf(index), startOf(index), startOf(index + 1)));
  const { children } = drawPicture({ lanes, endMs, limitMs: null }, { width, title: "", scale });
  return children.filter(({ attributes }) => attributes.class === "tick-label").map(({ children: [name] }) => name);
}

test("an axis names as many times as there is room for, and none over another", () => {
  assert.deepEqual(named(3600, [3600], { width: 320 }), ["0", "1 s", "2 s", "3 s"]);
  assert.deepEqual(named(90_000, [90_000], { width: 320 }), ["0", "30 s", "1 min", "1 min 30 s"]);
  assert.deepEqual(named(1, [1], { width: 240 }), ["0", "0.5 ms", "1 ms"]);
});

test("a logarithmic axis names a power of ten, and what lies between where that leaves room", () => {
  const log = (endMs, lengths, width) => named(endMs, lengths, { width, scale: "log" });
  assert.deepEqual(log(3600, [1000, 200, 1000, 400, 1000], 604), ["0", "100 ms", "500 ms", "1 s", "2 s"]);
  assert.deepEqual(log(61_000, [50, 60_950], 604), [
    "0",
    "100 ms",
    "500 ms",
    "1 s",
    "2 s",
    "5 s",
    "10 s",
    "30 s",
    "1 min",
  ]);
});

test("whatever the one attempt takes, a logarithmic axis names more than its beginning", () => {
  for (const endMs of [1, 7, 1500, 7000, 45_000, 3_599_000, 86_399_000, 9e9]) {
    for (const width of [240, 320, 604]) {
      const names = named(endMs, [endMs], { width, scale: "log" });
      assert.ok(names.length >= 2, `${endMs} in ${width}: ${names}`);
    }
  }
});

test("what became of an attempt is told by its class and by a mark", () => {
  const { children } = drawPicture(
    { lanes: [lane("1", 0, 0, 10, { outcome: "failed", mark: "✕" })], endMs: 10, limitMs: null, nowMs: 5 },
    { width: 500, title: "" },
  );
  const classes = children.map(({ attributes }) => attributes.class);
  assert.ok(classes.includes("attempt failed") && classes.includes("mark") && classes.includes("now"), classes.join());
});

test("as a file it has its name space and colours, and no text breaks out of its place", () => {
  const title = 'a "b" <c> & \u0007';
  const text = svgFile(drawPicture(TIMELINE, { width: 500, title }));
  assert.match(text, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" class="timeline" width="500"/);
  assert.match(text, /aria-label="a &quot;b&quot; &lt;c&gt; &amp; \ufffd"/);
  assert.match(text, /<style>[^<]*\.attempt \{ fill: /);
  assert.equal(text.match(/<(\w+)/g).length, text.match(/<\//g).length);
});
