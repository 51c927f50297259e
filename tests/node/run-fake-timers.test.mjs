// Trap 52: the fake timers that test runners put in the place of the platform's. Each in a process of
// its own: this one's test runner needs the real ones.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

const HERE = new URL(".", import.meta.url);

/** A run of more than seven minutes that fails, hangs, fails, works. */
const RUN = `
  import { runStep } from "step-retry";

  const step = {
    timeout_seconds: 30,
    idempotent: true,
    retry: { max_attempts: 4, backoff: "exponential", base_delay_ms: 60_000, on_timeout: true },
  };
  const begin = () =>
    runStep(step, async ({ attempt }) => {
      if (attempt === 2) return new Promise(() => {});
      if (attempt < 4) throw Object.assign(new Error("not yet"), { retryable: true });
      return "done";
    });
  const print = (...values) => process.stdout.write(JSON.stringify(values) + "\\n");
  const starts = ({ record }) => record.attempts.map(({ started_at_ms }) => Math.round(started_at_ms / 1000));
`;

function printed(script) {
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", RUN + script], {
    cwd: HERE,
    encoding: "utf8",
  });
  return output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const STARTS = [0, 60, 210, 450];

/** What Vitest and Jest fake by default, both with this library. */
const WITH_VITEST =
  'toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate", "clearImmediate", "Date", "performance"]';
const WITH_JEST = "";

for (const [runner, what] of [
  ["Vitest", WITH_VITEST],
  ["Jest", WITH_JEST],
]) {
  test(`trap 52: under the fake timers of ${runner} a run goes on as time does`, () => {
    const lines = printed(`
      import FakeTimers from "@sinonjs/fake-timers";
      const clock = FakeTimers.install({ ${what} });
      const run = begin();
      await clock.tickAsync(450_000);
      const result = await run;
      print(result.value, starts(result), clock.countTimers());
      const all = begin();
      await clock.runAllAsync();
      print((await all).value, clock.countTimers());
    `);
    assert.deepEqual(lines, [
      ["done", STARTS, 0],
      ["done", 0],
    ]);
  });
}

test("trap 52: under those of node:test, which leave performance.now as it is, too", () => {
  const lines = printed(`
    import { mock } from "node:test";
    mock.timers.enable({ apis: ["setTimeout", "Date"] });
    let result;
    begin().then((ended) => (result = ended));
    for (let turn = 0; turn < 200 && result === undefined; turn++) {
      await new Promise(setImmediate);
      mock.timers.tick(10_000);
    }
    print(result.value, starts(result));
  `);
  assert.deepEqual(lines, [["done", STARTS]]);
});
