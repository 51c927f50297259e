// Plans in characters and sentences.

import assert from "node:assert/strict";
import { test } from "node:test";
import { loadSource } from "./source.mjs";

const { duration, spoken } = await loadSource("pkg/src/draw/duration.ts");
const { timeline } = await loadSource("pkg/src/draw/timeline.ts");
const { drawTable, drawTimeline } = await loadSource("pkg/src/draw/terminal.ts");
const { planTable, totalsSentence } = await loadSource("pkg/src/draw/words.ts");

const same = (ms) => ({ min: ms, expected: ms, max: ms });

/** Three attempts of 1 s with waits of 200 and 400 ms. */
const ROWS = [
  { attempt: 1, waitBeforeMs: same(0), startMs: 0, timeoutMs: 1000, reachable: true },
  { attempt: 2, waitBeforeMs: same(200), startMs: 1200, timeoutMs: 1000, reachable: true },
  { attempt: 3, waitBeforeMs: same(400), startMs: 2600, timeoutMs: 1000, reachable: true },
];
const PLAN = {
  maxAttempts: 3,
  attemptTimeoutMs: 1000,
  budgetMs: 3600,
  budgetSource: "computed",
  totalWaitMs: 600,
  worstCaseMs: 3600,
  latestEndMs: 3600,
  maxCalls: 3,
  advice: [],
};

test("the times in a sentence of the core are said as all others, and nothing else in it changes", () => {
  assert.equal(
    spoken("Attempt 4 would start after 104000 ms, when the total limit of 90000 ms is used up"),
    "Attempt 4 would start after 1 min 44 s, when the total limit of 1 min 30 s is used up",
  );
  assert.equal(
    spoken("wait 2 is 400.5 ms here and 1 s there: 3 steps"),
    "wait 2 is 401 ms here and 1 s there: 3 steps",
  );
});

test("a time is said in its two largest units", () => {
  const said = [
    [0, "0 ms"],
    [0.25, "0.3 ms"],
    [397, "397 ms"],
    [999.6, "1 s"],
    [1500, "1.5 s"],
    [59_999, "59.999 s"],
    [60_000, "1 min"],
    [125_000, "2 min 5 s"],
    [3_600_000, "1 h"],
    [12_000_000, "3 h 20 min"],
    [86_399_999, "1 d"],
    [356_400_000, "4 d 3 h"],
    [31_536_000_000 * 2.5, "2.5 years"],
    [31_536_000_000 * 12_345, "12,345 years"],
    [Number.MAX_VALUE, "over a million years"],
  ];
  for (const [ms, words] of said) assert.equal(duration(ms), words);
});

test("attempts and waits lie in time as the plan says", () => {
  assert.deepEqual(timeline(ROWS, PLAN), {
    lanes: [
      { label: "1", waitFromMs: 0, startMs: 0, endMs: 1000, clipped: false, reachable: true },
      { label: "2", waitFromMs: 1000, startMs: 1200, endMs: 2200, clipped: false, reachable: true },
      { label: "3", waitFromMs: 2200, startMs: 2600, endMs: 3600, clipped: false, reachable: true },
    ],
    endMs: 3600,
    limitMs: null,
  });
});

test("a declared limit is drawn where it is near, and left out where it would squeeze all else", () => {
  assert.equal(timeline(ROWS, { ...PLAN, budgetSource: "declared", budgetMs: 5000 }).limitMs, 5000);
  assert.equal(timeline(ROWS, { ...PLAN, budgetSource: "declared", budgetMs: 120_000 }).limitMs, null);
});

test("the chart gives each attempt a bar, waits included, on one scale", () => {
  assert.deepEqual(drawTimeline(timeline(ROWS, PLAN), { width: 42, ascii: true }), [
    "  1  ##########",
    "  2            ..##########",
    "  3                        ....##########",
    "     0                              3.6 s",
    "     # attempt, to its limit   . wait",
  ]);
});

test("a clipped attempt ends at the limit, and those beyond it share one row", () => {
  const never = (attempt) => ({ ...ROWS[2], attempt, reachable: false, reason: "nothing is left of the total limit" });
  const rows = [ROWS[0], { ...ROWS[1], timeoutMs: 800, clippedToMs: 800 }, never(3), never(4), never(5)];
  const plan = { ...PLAN, maxAttempts: 5, budgetSource: "declared", budgetMs: 2000 };
  assert.deepEqual(drawTimeline(timeline(rows, plan), { width: 46, ascii: true }), [
    "    1  ###################                   |",
    "    2                     ....###############|",
    "  3-5  not reached                           |",
    "       0                                  2 s",
    "       # attempt, to its limit   . wait   | total limit",
  ]);
  assert.deepEqual(planTable(plan, rows).cells, [
    ["1", "-", "0 ms", "1 s", ""],
    ["2", "200 ms", "1.2 s", "800 ms", "clipped from 1 s"],
    ["3-5", "400 ms", "-", "-", "nothing is left of the total limit"],
  ]);
});

test("an attempt too short to see still gets a mark", () => {
  const rows = [
    { ...ROWS[0], timeoutMs: 1 },
    { ...ROWS[1], startMs: 3_600_001, waitBeforeMs: same(3_600_000), timeoutMs: 1 },
  ];
  const [first, second] = drawTimeline(timeline(rows, PLAN), { width: 60, ascii: true });
  assert.match(first, /#$/);
  assert.match(second, /\.#$/);
});

test("a table keeps its columns apart, and has no column for notes where there are none", () => {
  const { heads, cells } = planTable(PLAN, ROWS);
  assert.deepEqual(drawTable(heads, cells, ["right", "right", "right", "right"]), [
    "attempt   wait before   starts at   limit",
    "      1             -        0 ms     1 s",
    "      2        200 ms       1.2 s     1 s",
    "      3        400 ms       2.6 s     1 s",
  ]);
});

test("the sentence on totals names limit, worst case and calls", () => {
  assert.equal(totalsSentence(PLAN), "Total limit 3.6 s, made from the schedule. Worst case 3.6 s and 3 calls.");
  assert.equal(
    totalsSentence({ ...PLAN, budgetMs: null, budgetSource: "none" }),
    "No total limit. Worst case 3.6 s and 3 calls.",
  );
});

test("where a quick failure makes room for one attempt more, the worst case says both", () => {
  assert.match(
    totalsSentence({ ...PLAN, latestEndMs: 4000 }),
    /Worst case 4 s, 3\.6 s if every attempt runs to its limit, and 3 calls\.$/,
  );
});
