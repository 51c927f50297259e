// A step's limits in one sentence, for every way in which they can be put together.

import assert from "node:assert/strict";
import { test } from "node:test";
import { explain } from "step-retry";

const retry = (block, step = {}) => ({ timeout_seconds: 30, ...step, retry: block });
const doubling = (attempts, cap) => ({
  max_attempts: attempts,
  backoff: "exponential",
  base_delay_ms: 1000,
  ...(cap && { max_delay_ms: cap }),
});

/** What a step says, the options it is read under, and the sentence. */
const SENTENCES = [
  // No second try.
  [{}, {}, "Tries once; stops after 1 h."],
  [{ timeout_seconds: 30 }, {}, "Tries once; stops after 30 s."],
  [{ timeout_seconds: 1 }, {}, "Tries once; stops after 1 s."],
  [retry({}), {}, "Tries once; stops after 30 s."],
  [retry({ max_attempts: 1, base_delay_ms: 500 }), {}, "Tries once; stops after 30 s."],
  [retry({ total_timeout_seconds: 10 }), {}, "Tries once; stops after 30 s; gives up after 10 s at the latest."],
  [{}, { budget: "gate" }, "Tries once; lets it run as long as it takes."],
  // Waits.
  [
    retry({ ...doubling(3), total_timeout_seconds: 120 }),
    {},
    "Tries up to 3 times, waiting 1 s, then 2 s; stops each try after 30 s; gives up after 2 min at the latest.",
  ],
  [
    retry({ max_attempts: 2, base_delay_ms: 250 }),
    {},
    "Tries up to 2 times, waiting 250 ms in between; stops each try after 30 s; gives up after 1 min 0.25 s at the latest.",
  ],
  [
    retry({ max_attempts: 4 }),
    {},
    "Tries up to 4 times, one right after the other; stops each try after 30 s; gives up after 2 min at the latest.",
  ],
  [
    retry({ max_attempts: 4, base_delay_ms: 0, max_delay_ms: 5 }),
    {},
    "Tries up to 4 times, one right after the other; stops each try after 30 s; gives up after 2 min at the latest.",
  ],
  [
    retry({ max_attempts: 3, base_delay_ms: 1000 }),
    {},
    "Tries up to 3 times, waiting 1 s each time; stops each try after 30 s; gives up after 1 min 32 s at the latest.",
  ],
  [
    retry({ max_attempts: 4, backoff: "linear", base_delay_ms: 1500 }),
    {},
    "Tries up to 4 times, waiting 1.5 s, 3 s, then 4.5 s; stops each try after 30 s; gives up after 2 min 9 s at the latest.",
  ],
  [
    retry(doubling(5)),
    {},
    "Tries up to 5 times, waiting 1 s, 2 s, 4 s, then 8 s; stops each try after 30 s; gives up after 2 min 45 s at the latest.",
  ],
  [
    retry(doubling(6)),
    {},
    "Tries up to 6 times, waiting 1 s, 2 s, 4 s … up to 16 s; stops each try after 30 s; gives up after 3 min 31 s at the latest.",
  ],
  [
    retry(doubling(8, 30_000)),
    {},
    "Tries up to 8 times, waiting 1 s, 2 s, 4 s … up to 30 s; stops each try after 30 s; gives up after 5 min 31 s at the latest.",
  ],
  [
    retry(doubling(4, 2000)),
    {},
    "Tries up to 4 times, waiting 1 s, then 2 s each time; stops each try after 30 s; gives up after 2 min 5 s at the latest.",
  ],
  [
    retry(doubling(10, 3000)),
    {},
    "Tries up to 10 times, waiting 1 s, 2 s, then 3 s each time; stops each try after 30 s; gives up after 5 min 24 s at the latest.",
  ],
  [
    retry(doubling(3, 500)),
    {},
    "Tries up to 3 times, waiting 500 ms each time; stops each try after 30 s; gives up after 1 min 31 s at the latest.",
  ],
  // Long times.
  [
    retry({ max_attempts: 3, base_delay_ms: 5_400_000 }, { timeout_seconds: 7200 }),
    {},
    "Tries up to 3 times, waiting 1 h 30 min each time; stops each try after 2 h; gives up after 9 h at the latest.",
  ],
  [
    retry({ max_attempts: 8, base_delay_ms: 86_400_000 }, { timeout_seconds: 86_400 }),
    {},
    "Tries up to 8 times, waiting 1 d each time; stops each try after 1 d; gives up after 15 d at the latest.",
  ],
  [
    retry(doubling(1e9)),
    {},
    "Tries up to 1,000,000,000 times, waiting 1 s, 2 s, 4 s … up to over a million years; stops each try after 30 s; gives up after over a million years at the latest.",
  ],
  // Timeouts that are tried again.
  [
    retry({ max_attempts: 2, on_timeout: true }, { idempotent: true }),
    {},
    "Tries up to 2 times, one right after the other; stops each try after 30 s and tries again; gives up after 1 min at the latest.",
  ],
  // A total limit that is too short.
  [
    retry({ max_attempts: 5, base_delay_ms: 2000, total_timeout_seconds: 5 }),
    {},
    "Tries up to 5 times, waiting 2 s each time; stops each try after 30 s; gives up after 5 s at the latest, with time for no more than 3 tries.",
  ],
  [
    retry({ max_attempts: 2, base_delay_ms: 9000, total_timeout_seconds: 5 }),
    {},
    "Tries up to 2 times, waiting 9 s in between; stops each try after 30 s; gives up after 5 s at the latest, with time for no more than 1 try.",
  ],
  // Jitter.
  [
    retry(doubling(3)),
    { jitter: "full" },
    "Tries up to 3 times, waiting at random up to 1 s, then up to 2 s; stops each try after 30 s; gives up after 1 min 33 s at the latest.",
  ],
  [
    retry({ max_attempts: 3, base_delay_ms: 1000 }),
    { jitter: "full" },
    "Tries up to 3 times, waiting at random up to 1 s each time; stops each try after 30 s; gives up after 1 min 32 s at the latest.",
  ],
  [
    retry(doubling(9, 60_000)),
    { jitter: "full" },
    "Tries up to 9 times, waiting at random up to 1 s, up to 2 s, up to 4 s … up to 1 min; stops each try after 30 s; gives up after 7 min 33 s at the latest.",
  ],
  [
    retry(doubling(9, 60_000)),
    { jitter: "equal" },
    "Tries up to 9 times, waiting at random 500 ms to 1 s, 1 s to 2 s, 2 s to 4 s … 30 s to 1 min; stops each try after 30 s; gives up after 7 min 33 s at the latest.",
  ],
  [
    retry({ max_attempts: 3, base_delay_ms: 1000, max_delay_ms: 20_000 }),
    { jitter: "decorrelated" },
    "Tries up to 3 times, waiting at random 1 s to 3 s, then 1 s to 9 s; stops each try after 30 s; gives up after 1 min 42 s at the latest.",
  ],
  // Limits of the caller's.
  [
    retry(doubling(3)),
    { budgetMs: 2500 },
    "Tries up to 3 times, waiting 1 s, then 2 s; stops each try after 30 s; gives up after 2.5 s at the latest, with time for no more than 2 tries.",
  ],
  [
    retry(doubling(3)),
    { budgetMs: 10_000, budget: "gate" },
    "Tries up to 3 times, waiting 1 s, then 2 s; stops each try after 30 s; starts no try after 10 s and is done after 40 s at the latest.",
  ],
  [
    { retry: doubling(3) },
    { budgetMs: 10_000, budget: "gate" },
    "Tries up to 3 times, waiting 1 s, then 2 s; lets each try run as long as it takes; starts no try after 10 s.",
  ],
  [
    { retry: doubling(5) },
    { budgetMs: 4000, budget: "gate" },
    "Tries up to 5 times, waiting 1 s, 2 s, 4 s, then 8 s; lets each try run as long as it takes; starts no try after 4 s, with time for no more than 3 tries.",
  ],
  [
    { retry: doubling(3) },
    { budget: "gate" },
    "Tries up to 3 times, waiting 1 s, then 2 s; lets each try run as long as it takes; has no total limit.",
  ],
  // Layers.
  [
    retry(doubling(3)),
    { innerAttempts: 3 },
    "Tries up to 3 times, waiting 1 s, then 2 s; stops each try after 30 s; gives up after 1 min 33 s at the latest; makes up to 9 calls.",
  ],
  [{ timeout_seconds: 30 }, { innerAttempts: { SDK: 4 } }, "Tries once; stops after 30 s; makes up to 4 calls."],
];

for (const [step, options, sentence] of SENTENCES) {
  test(sentence, () => assert.equal(explain(step, options), sentence));
}

test("limits that a file may not hold are refused as everywhere", () => {
  assert.throws(() => explain({ timeout_seconds: 0 }), { code: "INVALID_VALUE" });
  assert.throws(() => explain({}, { jitter: "some" }), { code: "INVALID_ARGUMENT" });
});
