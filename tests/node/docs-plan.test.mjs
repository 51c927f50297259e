// docs/plan.md: each example compiles and prints what stands below it, and the table has every figure.

import assert from "node:assert/strict";
import { test } from "node:test";
import { plan } from "step-retry";
import { testPage } from "./docs-page.mjs";

const page = testPage("docs/plan.md", 8);

test("the table of figures has every figure of a plan", () => {
  const figures = Object.keys(plan({})).filter((figure) => !["advice", "budgetSource"].includes(figure));
  const told = Array.from(page.matchAll(/^\| `(\w+)` +\|/gm), ([, figure]) => figure);
  assert.deepEqual(
    figures.filter((figure) => !told.includes(figure)),
    [],
  );
});
