// StepRun: the machine by hand, put away and taken up again.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { StepRun, simulate } from "step-retry";
import { random } from "./random.mjs";

const STEP = {
  timeout_seconds: 2,
  idempotent: true,
  retry: { max_attempts: 3, backoff: "linear", base_delay_ms: 100, on_timeout: true },
};
const BUSY = { code: "BUSY", message: "the table is locked", retryable: true };

/** Begins the attempt that is due at `nowMs`. */
function begin(run, nowMs) {
  const decision = run.next(nowMs);
  assert.equal(decision.do, "attempt");
  run.begin(nowMs);
  return decision;
}

/** A run whose first attempt failed at 10 ms. */
function waiting(options) {
  const run = new StepRun(STEP, options);
  begin(run, 0);
  run.fail(10, BUSY);
  return run;
}

test("a loop of one's own: what to do, done, told", () => {
  const run = new StepRun(STEP, { name: "fetch", taskId: "job-7" });
  assert.deepEqual(run.next(1000), { do: "attempt", attempt: 1, timeoutMs: 2000 });
  assert.deepEqual(run.next(1000), { do: "attempt", attempt: 1, timeoutMs: 2000 });
  run.begin(1000);
  run.reportCost(0.5);
  assert.deepEqual(run.next(1005), { do: "running", attempt: 1, untilMs: 3000 });
  assert.equal(run.fail(1010, BUSY), true);
  assert.deepEqual(run.next(1010), { do: "wait", ms: 100, untilMs: 1110 });
  assert.deepEqual(run.next(1100), { do: "wait", ms: 10, untilMs: 1110 });
  begin(run, 1112);
  run.timeout(3112);
  begin(run, 3312);
  assert.equal(run.succeed(3313, { draft: 1 }), true);
  const { do: done, result } = run.next(3313);
  assert.deepEqual([done, result.ok, result.value, result.record.task_id], ["done", true, { draft: 1 }, "job-7"]);
  assert.deepEqual(
    result.record.attempts.map(({ started_at_ms, duration_ms, status }) => [started_at_ms, duration_ms, status]),
    [
      [0, 10, "error"],
      [112, 2000, "error"],
      [2312, 1, "success"],
    ],
  );
  assert.equal(result.record.attempts[1].late_ms, 2);
});

test("a report at or after the limit is refused, and the attempt timed out", () => {
  for (const report of [(run) => run.succeed(2000), (run) => run.fail(2500, BUSY)]) {
    const run = new StepRun({ timeout_seconds: 2 });
    begin(run, 0);
    assert.equal(report(run), false);
    assert.equal(run.next(2500).result.error.code, "STEP_TIMEOUT");
  }
});

test("trap 89: an attempt that is overdue, or a wait that is over, is seen by whoever asks", () => {
  const run = new StepRun(STEP);
  begin(run, 0);
  assert.ok(run.next(90_000).untilMs < 90_000);
  const waits = waiting();
  assert.equal(StepRun.restore(waits.snapshot()).next(86_400_000).do, "attempt");
});

test("a lost attempt is tried again only where the step is idempotent", () => {
  const lost = (step) => {
    const run = new StepRun(step);
    begin(run, 0);
    const restored = StepRun.restore(run.snapshot());
    assert.equal(restored.next(5).do, "running");
    restored.lost(5);
    return restored;
  };
  assert.deepEqual(lost(STEP).next(5), { do: "wait", ms: 100, untilMs: 105 });
  const { error, record } = lost({ ...STEP, idempotent: false, retry: { max_attempts: 3 } }).next(5).result;
  assert.deepEqual(
    [error.code, record.exhausted_by, record.attempts[0].status],
    ["STEP_ATTEMPT_LOST", "attempt_lost", "lost"],
  );
});

test("calls that do not fit are refused as WRONG_STATE, and change nothing", () => {
  const run = new StepRun(STEP);
  const before = run.snapshot();
  for (const call of [
    () => run.begin(0),
    () => run.succeed(0),
    () => run.fail(0, BUSY),
    () => run.timeout(0),
    () => run.lost(0),
    () => run.reportCost(1),
  ]) {
    assert.throws(call, { name: "StepRetryError", code: "WRONG_STATE" });
  }
  assert.deepEqual(run.snapshot(), before);
  run.abort(0, "enough");
  assert.throws(() => run.abort(0), { code: "WRONG_STATE" });
  assert.deepEqual([run.next(0).do, run.next(0).result.error.message], ["done", "Step 'step' was aborted: enough"]);
});

test("arguments that cannot be used are refused by name, and change nothing", () => {
  const run = new StepRun(STEP);
  begin(run, 0);
  const before = run.snapshot();
  for (const nowMs of [-1, NaN, Infinity, undefined, "soon", {}]) {
    assert.throws(() => run.next(nowMs), { name: "StepRetryError", code: "INVALID_ARGUMENT" });
    assert.throws(() => run.succeed(nowMs), { name: "StepRetryError", code: "INVALID_ARGUMENT" });
  }
  for (const [failure, path] of [
    [undefined, ["failure"]],
    [{}, ["failure", "code"]],
    [{ ...BUSY, retryable: 1 }, ["failure", "retryable"]],
    [{ ...BUSY, retryAfterMs: -1 }, ["failure", "retryAfterMs"]],
    [{ ...BUSY, category: "odd" }, ["failure", "category"]],
  ]) {
    assert.throws(() => run.fail(1, failure), { name: "StepRetryError", code: "INVALID_ARGUMENT", path });
  }
  for (const cost of [-1, NaN, "1"])
    assert.throws(() => run.reportCost(cost), { code: "INVALID_ARGUMENT", path: ["cost"] });
  assert.deepEqual(run.snapshot(), before);
  assert.throws(() => new StepRun({ retry: { max_attempts: 0 } }), { code: "INVALID_VALUE" });
  assert.throws(() => new StepRun(STEP, { jitter: "some" }), { code: "INVALID_ARGUMENT", path: ["options", "jitter"] });
  assert.throws(() => new StepRun(STEP, null), { code: "INVALID_ARGUMENT", path: ["options"] });
  for (const reason of [7, null, Symbol("s"), {}]) assert.doesNotThrow(() => new StepRun(STEP).abort(0, reason));
});

test("with hash, outputs that have no JSON leave no hash, and nothing throws", () => {
  for (const [output, hash] of [
    [{}, "44136fa3"],
    [undefined, "74234e98"],
    [7n, undefined],
  ]) {
    const run = StepRun.restore(new StepRun(STEP, { hash: true }).snapshot());
    begin(run, 0);
    run.succeed(1, output);
    assert.equal(run.next(1).result.record.attempts[0].evidence_hash?.slice(0, 8), hash);
  }
});

// ---- Snapshots ----

test("trap 87: a run is taken up in another process where it was left", () => {
  const script = `
    import { StepRun } from "step-retry";
    let json = "";
    process.stdin.on("data", (chunk) => (json += chunk)).on("end", () => {
      const run = StepRun.restore(JSON.parse(json));
      const waits = run.next(60);
      run.next(110);
      run.begin(110);
      run.fail(120, ${JSON.stringify(BUSY)});
      console.log(JSON.stringify([waits, run.next(120), run.snapshot()]));
    });
  `;
  const input = JSON.stringify(waiting().snapshot());
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: new URL(".", import.meta.url),
    input,
    encoding: "utf8",
  });
  const [waits, next, snapshot] = JSON.parse(output);
  assert.deepEqual(
    [waits, next],
    [
      { do: "wait", ms: 50, untilMs: 110 },
      { do: "wait", ms: 200, untilMs: 320 },
    ],
  );
  assert.equal(StepRun.restore(snapshot).next(320).attempt, 3);
});

test("a snapshot holds everything but what a successful attempt gave", () => {
  const run = new StepRun(STEP);
  begin(run, 0);
  run.succeed(1, "draft");
  const { result } = StepRun.restore(run.snapshot()).next(1);
  assert.deepEqual([result.ok, result.value, result.record], [true, undefined, run.next(1).result.record]);
});

test("trap 87: an unknown version is refused, and whatever no run could have written, by its path", () => {
  const snapshot = waiting().snapshot();
  assert.throws(() => StepRun.restore({ ...snapshot, version: 2 }), {
    name: "StepRetryError",
    code: "SNAPSHOT_VERSION",
    path: ["snapshot", "version"],
  });
  for (const bad of [undefined, null, 5, "{}", [], {}, { version: "1" }]) {
    assert.throws(() => StepRun.restore(bad), { name: "StepRetryError", code: "SNAPSHOT_INVALID" });
  }
});

test("trap 87: each field of a snapshot, damaged in any way, is refused or taken as it stands; nothing is repaired", () => {
  const damage = [undefined, null, -1, 1.5, "?", true, {}];
  let refused = 0;
  for (const snapshot of [
    waiting({ taskId: "job-7", jitter: "decorrelated", seed: 7, recordLimit: 1 }).snapshot(),
    ended().snapshot(),
  ]) {
    for (const path of places(snapshot)) {
      for (const value of damage) {
        const damaged = structuredClone(snapshot);
        path.slice(0, -1).reduce((at, key) => at[key], damaged)[path.at(-1)] = value;
        let restored;
        try {
          restored = StepRun.restore(damaged);
        } catch (error) {
          refused++;
          assert.equal(error.name, "StepRetryError", path.join("."));
          assert.match(error.code, /^SNAPSHOT_(INVALID|VERSION)$/);
          assert.equal(error.path[0], "snapshot");
          continue;
        }
        const again = JSON.stringify(restored.snapshot());
        assert.equal(again, JSON.stringify(damaged), `${path.join(".")} = ${String(value)}`);
      }
    }
  }
  assert.ok(refused > 300, `${refused}`);
});

function ended() {
  const run = waiting();
  begin(run, 110);
  run.fail(120, { ...BUSY, retryable: false, category: "permanent" });
  return run;
}

function places(value) {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, under]) => [[key], ...places(under).map((path) => [key, ...path])]);
}

test("a run that is restored at any moment decides as the one that was never stopped", () => {
  for (let seed = 0; seed < 500; seed++) {
    const { pick, chance, whole } = random(seed);
    const step = {
      timeout_seconds: pick([1, 2]),
      idempotent: true,
      retry: {
        max_attempts: 1 + whole(4),
        backoff: pick(["fixed", "linear", "exponential"]),
        base_delay_ms: pick([0, 40, 700]),
        on_timeout: chance(0.6),
        ...(chance(0.4) && { total_timeout_seconds: 2 }),
      },
    };
    const options = {
      seed: whole(99),
      jitter: pick(["none", "full", "decorrelated"]),
      budget: pick(["clip", "gate"]),
      hash: chance(0.5),
      ...(chance(0.3) && { recordLimit: 1 }),
    };
    const kept = new StepRun(step, options);
    let stopped = new StepRun(step, options);
    let nowMs = 0;
    for (let event = 0; event < 12; event++) {
      nowMs += pick([0, 1, 39.5, 700, 1000]);
      const tell = pick([
        (run) => run.begin(nowMs),
        (run) => run.begin(nowMs),
        (run) => run.fail(nowMs, BUSY),
        (run) => run.fail(nowMs, { ...BUSY, retryAfterMs: 300 }),
        (run) => run.timeout(nowMs),
        (run) => run.reportCost(1),
        ...(chance(0.2)
          ? [(run) => run.succeed(nowMs, { n: event }), (run) => run.lost(nowMs), (run) => run.abort(nowMs, "enough")]
          : []),
      ]);
      stopped = StepRun.restore(JSON.parse(JSON.stringify(stopped.snapshot())));
      assert.deepEqual(answer(stopped, tell), answer(kept, tell), `seed ${seed}`);
      assert.deepEqual(decision(stopped, nowMs), decision(kept, nowMs), `seed ${seed}`);
    }
    assert.deepEqual(stopped.snapshot(), kept.snapshot(), `seed ${seed}`);
  }
});

function answer(run, tell) {
  try {
    return tell(run);
  } catch ({ code, message }) {
    return { code, message };
  }
}

/** What is to be done, without what a snapshot does not hold. */
function decision(run, nowMs) {
  const next = run.next(nowMs);
  return next.do === "done" ? next.result.record : next;
}

test("by hand and simulated, a run is the same", () => {
  const outcomes = [{ result: "retryable", ms: 5 }, { result: "hang" }, { result: "ok", ms: 7 }];
  const run = new StepRun(STEP, { seed: 1 });
  let nowMs = 0;
  for (;;) {
    const next = run.next(nowMs);
    if (next.do === "done") {
      assert.deepEqual(next.result.record, simulate(STEP, outcomes, { seed: 1 }).record);
      return;
    }
    if (next.do === "wait") nowMs = next.untilMs;
    else {
      run.begin(nowMs);
      const { result, ms = 0 } = outcomes[next.attempt - 1];
      nowMs += result === "hang" ? next.timeoutMs : ms;
      if (result === "ok") run.succeed(nowMs);
      else if (result === "hang") run.timeout(nowMs);
      else
        run.fail(nowMs, {
          code: "SERVICE_HTTP_5XX",
          message: "The service answered with a server error",
          retryable: true,
        });
    }
  }
});
