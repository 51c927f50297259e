// Time: whose clock counts, what timers are given, and what a clock may do wrong.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { runStep } from "step-retry";
import {
  busy,
  busyUntil,
  CountedSignal,
  delay,
  never,
  retryable,
  statuses,
  strays,
  throwing,
  timers,
} from "./runs.mjs";

const MOST = 2 ** 31 - 1;
const ONCE = { timeout_seconds: 60 };

/** A clock whose sleepers wake as soon as they lie down; `slept` says for how long. */
function hastyClock(fields = {}) {
  const clock = {
    time: 0,
    slept: [],
    now: () => clock.time,
    sleep: async (ms) => {
      clock.slept.push(ms);
      clock.time += ms;
    },
    ...fields,
  };
  return clock;
}

/** Has every timer fire at once, and says what it was asked for. */
function hastyTimers(t) {
  const asked = [];
  const real = setTimeout;
  t.mock.method(globalThis, "setTimeout", (done, ms, ...given) => {
    asked.push(ms);
    return real(done, 0, ...given);
  });
  return asked;
}

test("traps 1 and 72: no timer is asked for more than 2^31 − 1 ms; longer waits are chained", async (t) => {
  const asked = hastyTimers(t);
  const wait = 30 * 86_400_000;
  const step = { retry: { max_attempts: 2, base_delay_ms: wait } };
  const { record } = await runStep(step, busyUntil(2));
  assert.deepEqual(statuses({ record }), ["error", "success"]);
  const forWait = asked.filter((ms) => ms !== 3_600_000);
  assert.equal(forWait.length, 2);
  assert.equal(forWait[0], MOST);
  assert.ok(forWait[1] <= wait - MOST && forWait[1] > wait - MOST - 1000, `${forWait[1]}`);
});

test("trap 1: limits of attempts are chained too", async (t) => {
  const asked = hastyTimers(t);
  const { error } = await runStep({ timeout_seconds: 3_000_000 }, never);
  assert.equal(error.code, "STEP_TIMEOUT");
  assert.equal(asked.length, 2);
  assert.equal(asked[0], MOST);
  assert.ok(Math.abs(asked[1] - (3_000_000_000 - MOST)) <= 1, `${asked[1]}`);
});

test("trap 51: every timer gets a whole number of ms within a timer's range", async (t) => {
  const asked = hastyTimers(t);
  const waits = [0, 0.25, 1.5, 1e12, 1e300, Number.MAX_VALUE];
  for (const base_delay_ms of waits) {
    const run = runStep({ retry: { max_attempts: 2, base_delay_ms } }, busyUntil(2), { budgetMs: 1e13 });
    await run;
  }
  assert.ok(asked.length > waits.length);
  for (const ms of asked) assert.ok(Number.isInteger(ms) && ms >= 1 && ms <= MOST, `${ms}`);
});

test("waits and limits last at least as long as asked, and the record says how late they were", async () => {
  const step = {
    timeout_seconds: 60,
    idempotent: true,
    retry: { max_attempts: 3, base_delay_ms: 8, on_timeout: true },
  };
  const times = [];
  const { record } = await runStep(step, ({ attempt }) => {
    times.push(performance.now());
    if (attempt < 3) throw retryable();
  });
  for (const [index, { started_at_ms, duration_ms, wait_before_ms, late_ms = 0 }] of record.attempts.entries()) {
    if (index === 0) continue;
    const before = record.attempts[index - 1];
    assert.equal(wait_before_ms, 8);
    assert.ok(Math.abs(before.started_at_ms + before.duration_ms + wait_before_ms + late_ms - started_at_ms) < 1e-6);
    assert.ok(times[index] - times[index - 1] >= 7, "no wait is cut short");
    assert.ok(duration_ms >= 0);
  }
  assert.ok(record.waited_ms >= 16 && record.elapsed_ms >= record.waited_ms);
});

test("zero waits let the event loop go round, and take no timer", async (t) => {
  const asked = hastyTimers(t);
  const step = { timeout_seconds: 60, retry: { max_attempts: 200 } };
  let turns = 0;
  let running = true;
  const turn = () => {
    turns++;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  await runStep(step, busy);
  running = false;
  assert.ok(turns >= 150, `${turns} turns`);
  assert.deepEqual([...new Set(asked)], [60_000], "only limits of attempts take timers");
});

test("trap 49: an attempt is judged by the clock, also when its result and its limit come together", async () => {
  const late = [];
  const block = (ms) => {
    const until = performance.now() + ms;
    while (performance.now() < until);
  };
  const work = async () => {
    setTimeout(() => block(40), 1);
    await delay(5);
    return "while the event loop was blocked";
  };
  const { error } = await runStep(ONCE, work, {
    budgetMs: 20,
    budget: "clip",
    onLateResult: (result) => late.push(result),
  });
  assert.equal(error.code, "STEP_TIMEOUT");
  assert.deepEqual(
    late.map(({ value }) => value),
    ["while the event loop was blocked"],
  );

  const synchronous = await runStep(
    ONCE,
    () => {
      block(15);
      return 1;
    },
    { budgetMs: 10 },
  );
  assert.equal(synchronous.error.code, "STEP_TIMEOUT");
});

test("a result exactly at the limit is late", async () => {
  for (const [ms, code] of [
    [99.9, undefined],
    [100, "STEP_TIMEOUT"],
    [100.1, "STEP_TIMEOUT"],
  ]) {
    const clock = hastyClock({ sleep: never });
    const { error } = await runStep(
      ONCE,
      () => {
        clock.time += ms;
      },
      { clock, budgetMs: 100 },
    );
    assert.equal(error?.code, code);
  }
});

test("a caller's clock measures everything: nothing waits for real", async () => {
  const clock = hastyClock();
  const step = { timeout_seconds: 60, retry: { max_attempts: 4, backoff: "exponential", base_delay_ms: 3_600_000 } };
  const sleep = async (ms, signal) => {
    if (ms === 60_000) await new Promise((resolve) => signal.addEventListener("abort", resolve));
    else await clock.sleep(ms);
  };
  const { record } = await runStep(
    step,
    () => {
      clock.time += 1;
      throw retryable();
    },
    { clock: { now: clock.now, sleep } },
  );
  assert.deepEqual(clock.slept, [3_600_000, 7_200_000, 14_400_000]);
  assert.deepEqual(
    record.attempts.map(({ started_at_ms }) => started_at_ms),
    [0, 3_600_001, 10_800_002, 25_200_003],
  );
});

test("a clock that begins anywhere gives the same record", async () => {
  const records = [];
  for (const origin of [0, -5e6, 1.7e12, 123.456]) {
    const clock = hastyClock({ sleep: never, time: origin });
    clock.now = () => clock.time;
    records.push(
      (
        await runStep(
          ONCE,
          () => {
            clock.time += 10;
            return 1;
          },
          { clock },
        )
      ).record,
    );
  }
  for (const record of records) assert.ok(Math.abs(record.attempts[0].duration_ms - 10) < 1e-3);
});

test("trap 41: a clock that runs backward or stands still neither ends a run early nor hangs it", async () => {
  const step = { timeout_seconds: 60, retry: { max_attempts: 4, base_delay_ms: 100 } };
  const jumps = [5000, 10, 4000, 0, 4500, 20, 30, 40, 50, 60, 70, 80, 90];
  const readings = [...jumps];
  const backward = { now: () => readings.shift() ?? 100, sleep: async (_ms, signal) => void signal };
  const { record } = await runStep(step, busy, { clock: backward });
  assert.deepEqual(
    record.attempts.map(({ duration_ms }) => duration_ms >= 0),
    [true, true, true, true],
  );

  const still = {
    now: () => 42,
    sleep: async (ms) => {
      if (ms === 60_000) await never();
    },
  };
  const stood = await runStep(step, busy, { clock: still });
  assert.deepEqual(
    stood.record.attempts.map(({ started_at_ms }) => started_at_ms),
    [0, 100, 200, 300],
  );

  const hung = await runStep(ONCE, never, { clock: { now: () => 42, sleep: async () => {} } });
  assert.deepEqual([hung.error.code, hung.record.attempts[0].duration_ms], ["STEP_TIMEOUT", 60_000]);
});

test("a clock that cannot be used ends the run with what is wrong with it", async () => {
  const good = { now: () => 0, sleep: never };
  const broken = [
    [{ ...good, now: () => NaN }, /finite/],
    [{ ...good, now: () => Infinity }, /finite/],
    [{ ...good, now: () => "5s" }, /finite/],
    [{ ...good, now: () => undefined }, /finite/],
    [{ ...good, now: () => 5n }, /finite/],
    [{ ...good, now: throwing(new Error("stopped")) }, /clock\.now\(\) threw: stopped/],
    [{ ...good, sleep: throwing(new Error("no timers")) }, /clock\.sleep\(\) failed: no timers/],
    [{ ...good, sleep: async () => throwing(new Error("no timers"))() }, /clock\.sleep\(\) failed: no timers/],
  ];
  for (const [clock, message] of broken) {
    const signal = new CountedSignal();
    const run = runStep(ONCE, never, { clock, signal });
    await assert.rejects(run, {
      name: "StepRetryError",
      code: "INVALID_ARGUMENT",
      path: ["options", "clock"],
      message,
    });
    assert.equal(signal.listeners.size, 0);
  }
});

test("a clock may settle its sleeps in any way once their signal has fired", async () => {
  const step = { timeout_seconds: 60, retry: { max_attempts: 2, base_delay_ms: 1 } };
  const ways = [
    (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    (signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
    never,
  ];
  const found = await strays(async () => {
    for (const stopped of ways) {
      const sleep = (ms, signal) => (ms === 60_000 ? stopped(signal) : Promise.resolve());
      const { ok } = await runStep(step, busyUntil(2), { clock: { now: () => 0, sleep } });
      assert.equal(ok, true);
    }
  });
  assert.deepEqual(found, []);
});

test("unref: a run's timers do not keep a process from ending", async () => {
  const keptAlive = setInterval(() => {}, 60_000);
  const before = timers().length;
  const controller = new AbortController();
  const options = { unref: true, signal: controller.signal };
  const waiting = runStep({ retry: { max_attempts: 2, base_delay_ms: 60_000 } }, busy, options);
  const attempting = runStep(ONCE, never, options);
  await delay(5);
  assert.equal(timers().length, before);
  controller.abort();
  assert.deepEqual([(await waiting).ok, (await attempting).ok], [false, false]);

  const { record } = await runStep({ retry: { max_attempts: 2, base_delay_ms: 5 } }, busyUntil(2), { unref: true });
  assert.ok(record.attempts[1].started_at_ms >= 5);
  clearInterval(keptAlive);
});

/** What a module prints in a process of its own, which has ten seconds to end by itself. */
function printed(lines) {
  const args = ["--input-type=module", "--eval", ['import { runStep } from "step-retry";', ...lines].join("\n")];
  return execFileSync(process.execPath, args, {
    cwd: new URL(".", import.meta.url),
    encoding: "utf8",
    timeout: 10_000,
  }).trim();
}

test("unref: a process ends although a run waits, and without it the run is waited for", () => {
  const waits = (options) => [
    `runStep({ retry: { max_attempts: 2, base_delay_ms: 300 } }, ({ attempt }) => {`,
    `  console.log(attempt);`,
    `  if (attempt === 1) throw Object.assign(new Error("not yet"), { retryable: true });`,
    `}, ${options});`,
  ];
  assert.equal(printed(waits("{ unref: true }")), "1");
  assert.equal(printed(waits("{}")), "1\n2");
});

for (const missing of [["setImmediate"], ["setImmediate", "MessageChannel"], ["performance"]]) {
  test(`a host without ${missing.join(" and ")} runs steps, and ends when they have`, () => {
    const lines = [
      `for (const name of ${JSON.stringify(missing)}) Object.defineProperty(globalThis, name, { value: undefined });`,
      `const busy = () => { throw Object.assign(new Error("not yet"), { retryable: true }); };`,
      `let turns = 0;`,
      `const timer = setInterval(() => turns++, 0);`,
      `const { record } = await runStep({ retry: { max_attempts: 100 } }, busy);`,
      `clearInterval(timer);`,
      `console.log(record.attempts.length, turns > 0);`,
    ];
    assert.equal(printed(lines), "100 true");
  });
}
