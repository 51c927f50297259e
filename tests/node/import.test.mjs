// Policies of others in our words: a count means what it means there, and what is lost has a name.

import assert from "node:assert/strict";
import { test } from "node:test";
import { delays } from "step-retry";
import { importPolicy } from "step-retry/export";

/** Each: what it shows, the source, its policy, the waits that come out, the codes of the notes. */
const CASES = [
  [
    "temporal counts attempts; a cap of 100 times the first wait is its default",
    "temporal",
    {
      startToCloseTimeout: "30 seconds",
      retry: {
        maximumAttempts: 4,
        initialInterval: "1s",
        backoffCoefficient: 2,
        nonRetryableErrorTypes: ["TemporalTimeout:StartToClose"],
      },
    },
    [1000, 2000, 4000],
    ["attempts-counted", "retryable-inverted"],
    30,
  ],
  [
    "temporal tries again after timeouts unless told",
    "temporal",
    { startToCloseTimeout: 1500, retry: { maximumAttempts: 2, initialInterval: 300, backoffCoefficient: 1 } },
    [300],
    ["attempts-counted", "timeout-retried", "retryable-inverted", "seconds-rounded"],
    2,
  ],
  [
    "temporal without a count goes on for ever",
    "temporal",
    { maximumAttempts: 0, initialInterval: "100 ms", maximumInterval: "100ms" },
    Array(100).fill(100),
    ["timeout-retried", "retryable-inverted", "attempts-unlimited"],
    undefined,
  ],
  [
    "a growth by 3 has no equal here",
    "temporal",
    {
      maximumAttempts: 4,
      initialInterval: 100,
      backoffCoefficient: 3,
      nonRetryableErrorTypes: ["Bad", "TemporalTimeout:StartToClose"],
    },
    [100, 200, 400],
    ["attempts-counted", "predicate-dropped", "retryable-inverted", "backoff-nearest"],
    undefined,
  ],
  [
    "growth by 1.5 that is cut at once has one",
    "temporal",
    {
      maximumAttempts: 3,
      initialInterval: 100,
      backoffCoefficient: 1.5,
      nonRetryableErrorTypes: ["TemporalTimeout:StartToClose"],
    },
    [100, 150],
    ["attempts-counted", "retryable-inverted"],
    undefined,
  ],
  [
    "step functions count retries",
    "step-functions",
    {
      Type: "Task",
      TimeoutSeconds: 10,
      Retry: [
        { ErrorEquals: ["States.Timeout"], MaxAttempts: 0 },
        { ErrorEquals: ["Retryable"], IntervalSeconds: 2, BackoffRate: 2, MaxAttempts: 3, MaxDelaySeconds: 5 },
      ],
    },
    [2000, 4000, 5000],
    ["attempts-counted"],
    10,
  ],
  [
    "step functions have defaults; a list of retriers is enough",
    "step-functions",
    [{ ErrorEquals: ["States.ALL"], JitterStrategy: "FULL" }, { ErrorEquals: ["Other"] }],
    [1000, 2000, 4000],
    [
      "attempts-counted",
      "default-written",
      "jitter-dropped",
      "timeout-retried",
      "predicate-dropped",
      "setting-dropped",
    ],
    undefined,
  ],
  [
    "3 retries of p-retry are 4 attempts",
    "p-retry",
    { retries: 3, minTimeout: 200, factor: 2 },
    [200, 400, 800],
    ["attempts-counted", "retryable-inverted"],
    undefined,
  ],
  [
    "p-retry: functions and endless counts",
    "p-retry",
    {
      retries: Number.POSITIVE_INFINITY,
      minTimeout: 5,
      factor: 1,
      maxRetryTime: 1500,
      shouldRetry: () => true,
      onFailedAttempt: () => {},
      unref: true,
    },
    Array(100).fill(5),
    [
      "predicate-dropped",
      "function-dropped",
      "retryable-inverted",
      "setting-dropped",
      "attempts-unlimited",
      "seconds-rounded",
    ],
    undefined,
  ],
  [
    "async-retry spreads its waits by default",
    "async-retry",
    {},
    Array.from({ length: 10 }, (_, k) => 1000 * 2 ** k),
    ["default-written", "attempts-counted", "jitter-dropped", "retryable-inverted"],
    undefined,
  ],
  [
    "cockatiel says attempts and means retries",
    "cockatiel",
    { maxAttempts: 3, backoff: { initialDelay: 100, maxDelay: 300, exponent: 2, generator: "noJitterGenerator" } },
    [100, 200, 300],
    ["attempts-counted", "retryable-inverted"],
    undefined,
  ],
  [
    "cockatiel: a constant wait, and a generator that is code",
    "cockatiel",
    { maxAttempts: 1, backoff: 50 },
    [50],
    ["attempts-counted", "retryable-inverted"],
    undefined,
  ],
  [
    "cockatiel: its exponential waits are spread",
    "cockatiel",
    { maxAttempts: 2, backoff: { generator: () => 1 } },
    [128, 256],
    ["attempts-counted", "jitter-dropped", "retryable-inverted"],
    undefined,
  ],
  [
    "polly: spans of .NET, linear growth",
    "polly",
    { MaxRetryAttempts: 4, Delay: "00:00:01.5", BackoffType: "Linear", MaxDelay: "0.00:00:05" },
    [1500, 3000, 4500, 5000],
    ["attempts-counted", "retryable-inverted"],
    undefined,
  ],
  [
    "polly: its defaults",
    "polly",
    { UseJitter: true },
    [2000, 2000, 2000],
    ["default-written", "attempts-counted", "default-written", "jitter-dropped", "retryable-inverted"],
    undefined,
  ],
  [
    "tenacity counts attempts",
    "tenacity",
    { stop_after_attempt: 3, wait_exponential: { multiplier: 0.5, max: 10 } },
    [500, 1000],
    ["attempts-counted", "retryable-inverted"],
    undefined,
  ],
  [
    "tenacity: steps of the same size are linear",
    "tenacity",
    { stop_after_attempt: 4, wait_incrementing: { start: 2, increment: 2 } },
    [2000, 4000, 6000],
    ["attempts-counted", "retryable-inverted"],
    undefined,
  ],
  [
    "tenacity: one attempt is no retry block",
    "tenacity",
    { stop_after_attempt: 1, wait_fixed: 3 },
    [],
    ["attempts-counted", "retryable-inverted"],
    undefined,
  ],
];

for (const [says, source, policy, waits, codes, timeout] of CASES) {
  test(says, () => {
    const { step, notes } = importPolicy(source, policy);
    assert.deepEqual(Array.from(delays(step, 100)), waits);
    assert.deepEqual(
      notes.map(({ code }) => code),
      codes,
    );
    assert.equal(step.timeout_seconds, timeout);
  });
}

test("the note on a count says it in words", () => {
  const message = (source, policy) =>
    importPolicy(source, policy).notes.find(({ code }) => code === "attempts-counted").message;
  assert.equal(message("p-retry", { retries: 3 }), "3 retries = 4 attempts");
  assert.equal(message("cockatiel", { maxAttempts: 3 }), "3 retries = 4 attempts");
  assert.equal(message("tenacity", { stop_after_attempt: 3 }), "3 attempts, the first among them");
});

test("what the other side would not take is refused by its path", () => {
  for (const [source, policy, path] of [
    ["airflow", {}, ["source"]],
    ["temporal", null, ["value"]],
    ["temporal", { retry: { initialInterval: "soon" } }, ["value", "retry", "initialInterval"]],
    ["temporal", { retry: { backoffCoefficient: 0.5 } }, ["value", "retry", "backoffCoefficient"]],
    ["temporal", { retry: { initialInterval: 100, maximumInterval: 50 } }, ["value", "retry", "maximumInterval"]],
    ["step-functions", [{ ErrorEquals: ["A"], IntervalSeconds: 0 }], ["value", "Retry", 0, "IntervalSeconds"]],
    ["step-functions", { Retry: [{}] }, ["value", "Retry", 0, "ErrorEquals"]],
    ["p-retry", { retries: 2.5 }, ["value", "retries"]],
    ["p-retry", { minTimeout: 10, maxTimeout: 5 }, ["value", "maxTimeout"]],
    ["async-retry", { randomize: "yes" }, ["value", "randomize"]],
    ["cockatiel", { backoff: { initialDelay: -1 } }, ["value", "backoff", "initialDelay"]],
    ["polly", { Delay: 2 }, ["value", "Delay"]],
    ["polly", { Delay: "00:61:00" }, ["value", "Delay"]],
    ["polly", { BackoffType: "linear" }, ["value", "BackoffType"]],
    ["tenacity", { wait_fixed: "3" }, ["value", "wait_fixed"]],
  ]) {
    assert.throws(
      () => importPolicy(source, policy),
      { code: "INVALID_ARGUMENT", path },
      `${source} ${JSON.stringify(policy)}`,
    );
  }
});
