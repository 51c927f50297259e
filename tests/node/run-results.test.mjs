// What handlers give and throw: every kind of end is one of a step's, and comes back untouched.

import assert from "node:assert/strict";
import { test } from "node:test";
import { isStepError, plan, runStep, StepRun, validate } from "step-retry";
import { busy, busyUntil, delay, never, retryable, statuses, strays, throwing } from "./runs.mjs";

const ONCE = { timeout_seconds: 60 };
const THRICE = { timeout_seconds: 60, retry: { max_attempts: 3 } };
const CUT = { timeout_seconds: 1, retry: { max_attempts: 1 } };

// biome-ignore lint/suspicious/noThenProperty: a thenable is what it is for
const thenable = (settle) => Object.defineProperty({}, "then", { value: settle });

test("trap 58: a value is a value, however it is given", async () => {
  const given = [
    [() => 7, 7],
    [() => undefined, undefined],
    [async () => null, null],
    [() => thenable((resolve) => resolve("thenable")), "thenable"],
    [() => thenable((resolve) => setTimeout(resolve, 1, "later")), "later"],
    [() => thenable((resolve, reject) => [resolve("first"), reject(new Error("second"))]), "first"],
    [async () => new Error("a value all the same"), new Error("a value all the same")],
  ];
  for (const [handler, expected] of given) {
    const result = await runStep(ONCE, handler);
    assert.deepEqual([result.ok, result.value, "error" in result], [true, expected, false]);
    assert.ok("value" in result);
  }
});

test("traps 56 and 58: whatever is thrown is a failure, and the cause as it was", async () => {
  const frozen = Object.freeze({ frozen: true });
  const hostile = {
    get message() {
      throw new Error("hostile");
    },
    get retryable() {
      throw new Error("hostile");
    },
  };
  const bare = Object.create(null);
  for (const thrown of [
    undefined,
    null,
    "text",
    0,
    7n,
    Symbol("s"),
    frozen,
    bare,
    hostile,
    () => {},
    new Error("no"),
  ]) {
    const throws = [
      throwing(thrown),
      async () => throwing(thrown)(),
      () => thenable((_, reject) => reject(thrown)),
      // biome-ignore lint/suspicious/noThenProperty: as above
      () => Object.defineProperty({}, "then", { get: throwing(thrown) }),
    ];
    for (const handler of throws) {
      const result = await runStep(ONCE, handler);
      assert.equal(result.ok, false);
      assert.equal(result.error.cause, thrown);
      assert.deepEqual([result.error.code, statuses(result)], ["ENGINE_HANDLER_FAILED", ["error"]]);
      assert.equal(typeof result.error.message, "string");
    }
  }
  assert.deepEqual(Object.keys(frozen), ["frozen"]);
});

test("trap 60: an error is tried again because it says so, not because of its class", async () => {
  const attempts = async (thrown, options) => {
    const { record } = await runStep(THRICE, throwing(thrown), options);
    return record.attempts.length;
  };
  assert.equal(await attempts(new TypeError("a bug")), 1);
  assert.equal(await attempts(Object.assign(new TypeError("network"), { retryable: true })), 3);
  assert.equal(await attempts({ retryable: true }), 3);
  assert.equal(await attempts({ retryable: "true" }), 1);
  assert.equal(await attempts({ retryable: 1 }), 1);
  assert.equal(await attempts(Object.assign(() => {}, { retryable: true })), 3);
  assert.equal(await attempts("text"), 1);
});

test("classify decides where it has something to say", async () => {
  const run = (thrown, classify) => runStep(THRICE, throwing(thrown), { classify });
  const busy = { code: "DB_BUSY", message: "the table is locked", retryable: true, category: "temporary" };
  const tried = await run(new Error("SQLITE_BUSY"), ({ message }) => (message === "SQLITE_BUSY" ? busy : undefined));
  assert.deepEqual(
    tried.record.attempts.map(({ error }) => error),
    [busy, busy, busy],
  );
  assert.equal(tried.error.cause.message, "SQLITE_BUSY");

  const refused = await run(retryable(), () => ({ ...busy, retryable: false }));
  assert.deepEqual([refused.record.attempts.length, refused.error.code], [1, "DB_BUSY"]);

  const unnamed = await run(new Error("its own words"), () => ({ code: "X", retryable: false }));
  assert.equal(unnamed.error.message, "its own words");
});

test("a rule that throws or says nothing of use leaves it to the rule of the reference", async () => {
  const useless = [
    throwing(new Error("the rule is broken")),
    () => undefined,
    () => null,
    () => true,
    () => ({ code: 5, retryable: true }),
    () => ({ code: "X" }),
    () => ({
      get code() {
        throw new Error("hostile");
      },
    }),
    async () => throwing(new Error("the rule is broken"))(),
  ];
  const found = await strays(async () => {
    for (const classify of useless) {
      const { record } = await runStep(
        THRICE,
        () => {
          throw retryable("busy", { code: "BUSY" });
        },
        { classify },
      );
      assert.deepEqual(
        record.attempts.map(({ error }) => [error.code, error.retryable]),
        Array(3).fill(["BUSY", true]),
      );
    }
  });
  assert.deepEqual(found, []);
});

test("what an error says of category and hint is kept where it can be, and left out where it cannot", async () => {
  const waits = async (fields) => {
    const step = { timeout_seconds: 60, retry: { max_attempts: 2 } };
    const { record } = await runStep(step, () => {
      throw retryable("busy", fields);
    });
    return [record.attempts[0].error.category, record.attempts[1].wait_before_ms];
  };
  assert.deepEqual(await waits({ category: "temporary", retryAfterMs: 3 }), ["temporary", 3]);
  for (const retryAfterMs of [-1, NaN, Infinity, "3", null]) {
    assert.deepEqual(await waits({ category: "odd", retryAfterMs }), [undefined, 0]);
  }
});

test("traps 61 and 63: the error is about the step, its cause is the last failure, all are in the record", async () => {
  const thrown = [
    retryable("first", { code: "A" }),
    retryable("second", { code: "B" }),
    retryable("third", { code: "A" }),
  ];
  const result = await runStep(
    THRICE,
    ({ attempt }) => {
      throw thrown[attempt - 1];
    },
    { name: "fetch" },
  );
  const { error, record } = result;
  assert.ok(isStepError(error) && error instanceof Error);
  assert.deepEqual(
    [error.code, error.message, error.step, error.attempts, error.exhausted_by, error.retryable],
    ["STEP_RETRY_EXHAUSTED", "Step 'fetch' failed after 3 attempts", "fetch", 3, "attempts", false],
  );
  assert.equal(error.cause, thrown[2]);
  assert.equal(error.record, record);
  assert.deepEqual(
    record.attempts.map(({ error }) => error.code),
    ["A", "B", "A"],
  );
  assert.equal(typeof record.elapsed_ms, "number");
});

test("a timeout that ends the step is the cause as an error of ours", async () => {
  const { error } = await runStep(CUT, never, { budgetMs: 10, name: "slow" });
  assert.deepEqual([error.code, error.exhausted_by], ["STEP_RETRY_EXHAUSTED", "total_timeout"]);
  assert.ok(isStepError(error.cause));
  assert.deepEqual([error.cause.code, error.cause.message], ["STEP_TIMEOUT", "Step 'slow' timed out after 10ms"]);
});

test("with throwOnFailure a failed step rejects with its error, and one that worked resolves", async () => {
  const failed = await runStep(THRICE, busy, { throwOnFailure: true }).catch((error) => error);
  assert.ok(isStepError(failed));
  assert.equal(failed.code, "STEP_RETRY_EXHAUSTED");
  assert.equal((await runStep(THRICE, () => 1, { throwOnFailure: true })).value, 1);
});

test("a step inside a step is not tried again by the outer one", async () => {
  let calls = 0;
  const inner = () =>
    runStep(
      THRICE,
      () => {
        calls++;
        throw retryable();
      },
      { throwOnFailure: true },
    );
  const { error } = await runStep(THRICE, inner);
  assert.deepEqual([calls, error.code], [3, "STEP_RETRY_EXHAUSTED"]);
});

test("context.abort ends the step as aborted, with the earlier attempts in the record", async () => {
  const result = await runStep({ timeout_seconds: 60, retry: { max_attempts: 5 } }, ({ attempt, abort }) => {
    if (attempt === 1) throw retryable();
    abort("nothing to do");
  });
  assert.deepEqual([result.ok, result.record.outcome, statuses(result)], [false, "aborted", ["error", "skipped"]]);
  assert.deepEqual(
    [result.error.code, result.error.message],
    ["STEP_ABORTED", "Step 'step' was aborted: nothing to do"],
  );
  assert.equal(result.error.cause, undefined);
});

test("context.abort throws in the handler; where the handler goes on all the same, that is late", async () => {
  const late = [];
  const onLateResult = (result) => late.push(result);
  const caught = await runStep(
    ONCE,
    async ({ abort }) => {
      try {
        abort("stop");
      } catch {
        /* goes on */
      }
      return "all the same";
    },
    { onLateResult },
  );
  assert.equal(caught.record.outcome, "aborted");
  await delay(1);
  assert.deepEqual(late, [{ attempt: 1, ok: true, value: "all the same" }]);
});

test("reported cost is summed over attempts, and unknown where one reported none", async () => {
  const cost = async (report) =>
    (
      await runStep(THRICE, (context) => {
        report(context);
        throw retryable();
      })
    ).record;
  const known = await cost(({ attempt, reportCost }) => {
    reportCost(attempt);
    reportCost(0.5);
  });
  assert.deepEqual(
    known.attempts.map(({ cost }) => cost),
    [1.5, 2.5, 3.5],
  );
  assert.equal(known.cost, 7.5);
  assert.equal((await cost(({ attempt, reportCost }) => attempt !== 2 && reportCost(1))).cost, "unknown");
  assert.equal(
    (
      await cost(({ reportCost }) => {
        reportCost(1e308);
        reportCost(1e308);
      })
    ).cost,
    Number.MAX_VALUE,
  );
});

test("a cost that is none is refused where it is reported", async () => {
  for (const bad of [-1, NaN, Infinity, "1", null, undefined, 1n]) {
    const { error } = await runStep(ONCE, ({ reportCost }) => reportCost(bad));
    assert.deepEqual([error.cause.code, error.cause.path], ["INVALID_ARGUMENT", ["cost"]]);
  }
});

test("a context can be taken apart, and tells the limits of its attempt", async () => {
  const seen = [];
  await runStep(
    { timeout_seconds: 3, retry: { max_attempts: 2, total_timeout_seconds: 2 } },
    ({ attempt, maxAttempts, timeoutMs, clippedToMs, remainingMs }) => {
      seen.push([attempt, maxAttempts, timeoutMs, clippedToMs, remainingMs]);
      throw retryable();
    },
  );
  const [first, second] = seen;
  assert.deepEqual(first, [1, 2, 2000, 2000, 2000]);
  assert.deepEqual(second.slice(0, 2), [2, 2]);
  assert.ok(second[2] === second[3] && second[2] <= 2000 && second[2] > 1000);
});

test("hash: the record keeps a SHA-256 of each output's JSON, and of {} for a failure", async () => {
  const hashes = async (value) => {
    const { record } = await runStep(THRICE, busyUntil(2, value), { hash: true });
    return record.attempts.map(({ evidence_hash }) => evidence_hash?.slice(0, 8));
  };
  assert.deepEqual(await hashes({}), ["44136fa3", "44136fa3"]);
  assert.deepEqual(await hashes({ a: 1 }), ["44136fa3", "015abd7f"]);
  assert.deepEqual(await hashes(undefined), ["44136fa3", "74234e98"]);
  const cyclic = {};
  cyclic.self = cyclic;
  assert.deepEqual(await hashes(cyclic), ["44136fa3", undefined]);
  assert.deepEqual(await hashes(7n), ["44136fa3", undefined]);
  assert.deepEqual(
    await hashes({
      toJSON() {
        throw new Error("no");
      },
    }),
    ["44136fa3", undefined],
  );
});

test("recordLimit keeps the newest attempts and says how many are left out", async () => {
  const step = { timeout_seconds: 60, retry: { max_attempts: 10 } };
  const { record, error } = await runStep(step, busy, { recordLimit: 3 });
  assert.deepEqual(
    record.attempts.map(({ attempt }) => attempt),
    [8, 9, 10],
  );
  assert.deepEqual([record.attempts_omitted, error.attempts, record.attempts[2].exhausted_by], [7, 10, "attempts"]);
});

test("trap 55: the result of an attempt that was stopped goes to onLateResult and nowhere else", async () => {
  const late = [];
  const thrown = new Error("too late");
  const found = await strays(async () => {
    for (const end of [() => "too late", throwing(thrown)]) {
      const work = async () => {
        await delay(15);
        return end();
      };
      const { error } = await runStep(CUT, work, { budgetMs: 5, onLateResult: (result) => late.push(result) });
      assert.equal(error.cause.code, "STEP_TIMEOUT");
    }
    await runStep(CUT, () => delay(15).then(throwing(thrown)), { budgetMs: 5 });
    await delay(20);
  });
  assert.deepEqual(late, [
    { attempt: 1, ok: true, value: "too late" },
    { attempt: 1, ok: false, error: thrown },
  ]);
  assert.equal(late[1].error, thrown);
  assert.deepEqual(found, []);
});

test("hooks that throw, at once or later, change nothing", async () => {
  const broken = [throwing(new Error("hook")), async () => throwing(new Error("hook"))()];
  const found = await strays(async () => {
    for (const hook of broken) {
      const hooks = { onEvent: hook, onLateResult: hook };
      const { value, record } = await runStep(THRICE, busyUntil(3, "done"), hooks);
      assert.deepEqual([value, record.attempts.length], ["done", 3]);
      await runStep(CUT, () => delay(10), { ...hooks, budgetMs: 1 });
      await delay(15);
      const retryBudget = { take: hook, succeeded: hook };
      assert.equal((await runStep(THRICE, busyUntil(3, "done"), { retryBudget })).value, "done");
    }
  });
  assert.deepEqual(found, []);
});

test("trap 28: steps that run at once count their own attempts", async () => {
  const results = await Promise.all(Array.from({ length: 20 }, () => runStep(THRICE, busy)));
  assert.deepEqual(
    results.map(({ record }) => record.attempts.length),
    Array(20).fill(3),
  );
});

test("a given seed makes waits repeatable, another one makes others", async () => {
  const step = { timeout_seconds: 60, retry: { max_attempts: 4, base_delay_ms: 2 } };
  const waits = async (seed) => {
    const { record } = await runStep(step, busy, { jitter: "full", ...(seed !== undefined && { seed }) });
    return record.attempts.map(({ wait_before_ms }) => wait_before_ms).join();
  };
  assert.equal(await waits(7), await waits(7));
  assert.notEqual(await waits(7), await waits(8));
  assert.notEqual(await waits(), await waits());
});

test("options that cannot be used are refused by their path, and nothing is called", async () => {
  const refused = [
    [null, ["options"]],
    [7, ["options"]],
    [{ signal: {} }, ["options", "signal"]],
    [{ signal: null }, ["options", "signal"]],
    [{ clock: { now: () => 0 } }, ["options", "clock"]],
    [{ retryBudget: {} }, ["options", "retryBudget"]],
    [{ classify: "no" }, ["options", "classify"]],
    [{ onEvent: {} }, ["options", "onEvent"]],
    [{ onLateResult: 5 }, ["options", "onLateResult"]],
    [{ throwOnFailure: "yes" }, ["options", "throwOnFailure"]],
    [{ unref: 1 }, ["options", "unref"]],
    [{ name: 5 }, ["options", "name"]],
    [{ hash: "yes" }, ["options", "hash"]],
    [{ seed: "7" }, ["options", "seed"]],
    [{ recordLimit: 0 }, ["options", "recordLimit"]],
    [{ budget: "both" }, ["options", "budget"]],
    [{ budgetMs: -1 }, ["options", "budgetMs"]],
  ];
  for (const [options, path] of refused) {
    const called = () => assert.fail("called");
    await assert.rejects(
      runStep(ONCE, called, options),
      { name: "StepRetryError", code: "INVALID_ARGUMENT", path },
      path.join(),
    );
  }
  const hostile = {
    get signal() {
      throw new Error("hostile");
    },
  };
  await assert.rejects(runStep(ONCE, assert.fail, hostile), { name: "StepRetryError" });
  for (const attempt of [undefined, null, {}, "f"]) {
    await assert.rejects(runStep(ONCE, attempt), { code: "INVALID_ARGUMENT", path: ["attempt"] });
  }
  for (const step of [undefined, null, [], 5])
    await assert.rejects(runStep(step, assert.fail), { name: "StepRetryError" });
});

test("options are read once: what becomes of them later changes nothing", async () => {
  const options = { name: "kept", recordLimit: 5, throwOnFailure: false };
  const run = runStep(THRICE, busy, options);
  Object.assign(options, { name: "changed", throwOnFailure: true, onEvent: assert.fail, signal: AbortSignal.abort() });
  assert.equal((await run).record.step, "kept");
});

test("handlers and hooks may use the package themselves", async () => {
  const use = () => {
    assert.equal(plan(THRICE).maxAttempts, 3);
    assert.equal(validate("").valid, false);
    assert.throws(() => plan({ retry: 5 }), { code: "INVALID_VALUE" });
    assert.equal(StepRun.restore(new StepRun(THRICE).snapshot()).next(0).do, "attempt");
  };
  const heard = [];
  const options = {
    classify: use,
    onEvent: ({ type }) => {
      use();
      heard.push(type);
    },
  };
  const { value } = await runStep(
    THRICE,
    async (context) => {
      use();
      const inner = await runStep(THRICE, busyUntil(2, "inner"), options);
      return busyUntil(2, inner.value)(context);
    },
    options,
  );
  assert.equal(value, "inner");
  assert.equal(heard.length, 15);
});
