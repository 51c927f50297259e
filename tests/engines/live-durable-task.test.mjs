// Exported policies on Durable Task, which brings an engine in memory: orchestrations that call a
// failing activity. Its timers are held to the exported table by its own history: unlike the real
// engine, the one in memory counts a wait from before the attempt.

import "./with-resolvers.mjs";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import durable from "@microsoft/durabletask-js";
import { exportPolicy } from "step-retry/export";
import { imported, workFolder } from "./written.mjs";

const { InMemoryOrchestrationBackend, TestOrchestrationClient, TestOrchestrationWorker } = durable;
// The engine tells all it does on the console.
for (const level of ["log", "info", "debug", "warn", "error"]) console[level] = () => {};
const folder = workFolder("live-durable-task");

/** The steps, each with an activity and an orchestrator of its own. */
const STEPS = {
  doubled: { timeout_seconds: 10, retry: { max_attempts: 4, backoff: "exponential", base_delay_ms: 150 } },
  capped: {
    timeout_seconds: 10,
    retry: { max_attempts: 5, backoff: "exponential", base_delay_ms: 100, max_delay_ms: 250 },
  },
  linear: { timeout_seconds: 10, retry: { max_attempts: 6, backoff: "linear", base_delay_ms: 80 } },
  stopped: { timeout_seconds: 1, retry: { max_attempts: 3, base_delay_ms: 10 } },
};

/** What a step's work does, by the step's name; set by each test. */
const work = {};
let backend;
let client;
let worker;

before(async () => {
  backend = new InMemoryOrchestrationBackend();
  client = new TestOrchestrationClient(backend);
  worker = new TestOrchestrationWorker(backend);
  for (const [name, step] of Object.entries(STEPS)) {
    const made = await imported(folder, "azure-durable", step, name);
    const end = (suffix) => made[Object.keys(made).find((key) => key.endsWith(suffix))];
    worker.addNamedActivity(
      name,
      end("Activity")((input, signal) => work[name](input, signal)),
    );
    worker.addNamedOrchestrator(`${name}-once`, async function* orchestrator(ctx) {
      return yield ctx.callActivity(name, undefined, { retry: end("Retry") });
    });
  }
  await worker.start();
});

after(async () => {
  await worker?.stop();
  await client?.stop();
});

/** Runs a step once; `act` is told the attempt and its signal. */
async function once(name, act) {
  let attempts = 0;
  work[name] = (_, signal) => act(++attempts, signal);
  const id = await client.scheduleNewOrchestration(`${name}-once`);
  const state = await client.waitForOrchestrationCompletion(id, true, 60);
  return { attempts, waits: waits(id), output: state.serializedOutput, failure: state.failureDetails?.message };
}

/** How long each timer of an orchestration was set for, from the turn that set it. */
function waits(id) {
  const found = [];
  let turn;
  for (const event of backend.getInstance(id).history) {
    if (event.hasOrchestratorstarted()) turn = event.getTimestamp().toDate();
    if (event.hasTimercreated()) found.push(event.getTimercreated().getFireat().toDate() - turn);
  }
  return found;
}

const busy = () => {
  throw Object.assign(new Error("busy"), { retryable: true });
};

for (const name of ["doubled", "capped", "linear"])
  test(`${name} waits are those of the table`, async () => {
    const table = exportPolicy(STEPS[name], "azure-durable").waits.map(({ theirsMs }) => theirsMs);
    const run = await once(name, busy);
    assert.deepEqual([run.attempts, run.waits], [table.length + 1, table]);
  });

test("a failure that says nothing is final, and one that does is mended by another attempt", async () => {
  for (const name of ["doubled", "linear"]) {
    const final = await once(name, () => {
      throw new Error("no such invoice");
    });
    assert.equal(final.attempts, 1);
    assert.match(final.failure, /no such invoice/);
    const mended = await once(name, (attempt) => (attempt < 2 ? busy() : 42));
    assert.deepEqual([mended.attempts, mended.output], [2, "42"]);
  }
});

test("an attempt is stopped at its limit and not tried again", async () => {
  const { attempts, failure } = await once("stopped", () => new Promise(() => {}));
  assert.equal(attempts, 1);
  assert.match(failure, /timed out after 1000 ms/);
});
