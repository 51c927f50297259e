// Exported policies on a real BullMQ: a Redis server of its own on this machine, jobs that fail, and
// the gaps between their attempts held to the exported table.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Queue, Worker } from "bullmq";
import { holds } from "./measured.mjs";
import { imported, workFolder } from "./written.mjs";

const folder = workFolder("live-bullmq");
let connection;
let redis;
let data;

/** A port of this machine that nobody listens on. */
function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

before(async () => {
  data = await mkdtemp(join(tmpdir(), "step-retry-redis-"));
  const port = await freePort();
  // More ticks a second than by default, which alone would make each wait 100 ms late.
  const settings = ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", data, "--save", "", "--hz", "100"];
  redis = spawn("redis-server", settings, { stdio: "ignore" });
  // Also where this process ends before its tests do.
  process.once("exit", () => redis.kill("SIGKILL"));
  await new Promise((resolve, reject) => {
    redis.once("spawn", resolve);
    redis.once("error", () => reject(new Error("redis-server is missing: on Debian, apt-get install redis-server")));
  });
  connection = { host: "127.0.0.1", port, maxRetriesPerRequest: null };
});

after(async () => {
  if (redis?.pid !== undefined && redis.exitCode === null) {
    const gone = new Promise((resolve) => redis.once("exit", resolve));
    redis.kill();
    await gone;
  }
  if (data !== undefined) await rm(data, { recursive: true, force: true });
});

/** Runs one job under the exported step; `work` is told the attempt and its signal. */
async function run(name, step, work) {
  const made = await imported(folder, "bullmq", step, name);
  const id = Object.keys(made)
    .find((key) => key.endsWith("Options"))
    .replace("Options", "");
  const attempts = [];
  const processor = made[`${id}Processor`](async (_, signal) => {
    const times = { startedAt: performance.now() };
    attempts.push(times);
    try {
      return await work(attempts.length, signal);
    } finally {
      times.endedAt = performance.now();
    }
  });
  const queue = new Queue(name, { connection });
  const worker = new Worker(name, processor, { connection, drainDelay: 1, ...made[`${id}Worker`] });
  worker.on("error", () => {});
  await worker.waitUntilReady();
  const job = await queue.add("job", {}, made[`${id}Options`]);
  let state = await job.getState();
  while (state !== "completed" && state !== "failed") {
    await sleep(20);
    state = await job.getState();
  }
  const { failedReason, returnvalue } = await queue.getJob(job.id);
  await worker.close();
  await queue.close();
  return { attempts, state, failedReason, returnvalue };
}

const retryable = (message, more) => Object.assign(new Error(message), { retryable: true, ...more });

test("exponential waits are those of the table", (t) =>
  holds(t, "bullmq", { retry: { max_attempts: 4, backoff: "exponential", base_delay_ms: 150 } }, (step, round) =>
    run(`doubled-${round}`, step, () => {
      throw retryable("busy");
    }),
  ));

test("linear waits with a cap, which are code, are those of the table", (t) =>
  holds(
    t,
    "bullmq",
    { retry: { max_attempts: 6, backoff: "linear", base_delay_ms: 100, max_delay_ms: 350 } },
    (step, round) =>
      run(`linear-${round}`, step, () => {
        throw retryable("busy");
      }),
  ));

test("a failure that says nothing is final, and one that does is mended by another attempt", async () => {
  const step = { retry: { max_attempts: 4, base_delay_ms: 10 } };
  const final = await run("final", step, () => {
    throw new Error("no such invoice");
  });
  assert.deepEqual([final.attempts.length, final.state, final.failedReason], [1, "failed", "no such invoice"]);
  const mended = await run("mended", step, (attempt) => {
    if (attempt < 3) throw retryable("busy");
    return 42;
  });
  assert.deepEqual([mended.attempts.length, mended.state, mended.returnvalue], [3, "completed", 42]);
});

test("an attempt is stopped at its limit, told by its signal, and not tried again", async () => {
  const step = { timeout_seconds: 1, retry: { max_attempts: 3, base_delay_ms: 10 } };
  let told;
  const { attempts, state, failedReason } = await run("timeout", step, async (_, signal) => {
    await sleep(5000, undefined, { signal }).catch(() => {
      told = signal.reason.message;
    });
  });
  assert.deepEqual(
    [attempts.length, state, failedReason, told],
    [1, "failed", "timed out after 1000 ms", "timed out after 1000 ms"],
  );
});

test("where a timeout may be tried again it is", async () => {
  const step = {
    timeout_seconds: 1,
    idempotent: true,
    retry: { max_attempts: 2, base_delay_ms: 10, on_timeout: true },
  };
  const { attempts, state } = await run("timeout-again", step, (_, signal) =>
    sleep(5000, undefined, { signal }).catch(() => {}),
  );
  assert.deepEqual([attempts.length, state], [2, "failed"]);
});

test("the total limit ends the step before a wait that would reach it", async () => {
  const step = { timeout_seconds: 1, retry: { max_attempts: 9, base_delay_ms: 400, total_timeout_seconds: 1 } };
  const { attempts, state, failedReason } = await run("total", step, () => {
    throw retryable("busy");
  });
  assert.deepEqual([attempts.length, state, failedReason], [3, "failed", "busy"]);
});

test("a wait that a server asks for is kept where waits are code", async () => {
  const step = { retry: { max_attempts: 5, backoff: "linear", base_delay_ms: 50, max_delay_ms: 180 } };
  const { attempts } = await run("hint", step, (attempt) => {
    if (attempt === 1) throw retryable("slow down", { retryAfterMs: 400 });
    return 1;
  });
  assert.ok(attempts[1].startedAt - attempts[0].endedAt >= 399);
});
