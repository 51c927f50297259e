// Exported policies on a real Restate: a server of its own on this machine, a service whose handlers
// are what was exported, and the gaps between attempts held to the exported table.

import "./with-resolvers.mjs";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http2";
import { createRequire } from "node:module";
import { createServer as createSocket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { holds } from "./measured.mjs";
import { imported, workFolder } from "./written.mjs";

const restate = await import("@restatedev/restate-sdk");
const folder = workFolder("live-restate");
const program = server();
const skip = program === undefined && !process.env.CI ? "its server is not made for this machine" : false;

/** The engine's program, where there is one for this machine. */
function server() {
  try {
    const require = createRequire(import.meta.url);
    return join(dirname(require.resolve("@restatedev/restate-server-linux-x64/package.json")), "bin/restate-server");
  } catch {
    return undefined;
  }
}

/** The steps, each a handler of its own. */
const STEPS = {
  doubled: { timeout_seconds: 10, retry: { max_attempts: 4, backoff: "exponential", base_delay_ms: 200 } },
  capped: {
    timeout_seconds: 10,
    retry: { max_attempts: 5, backoff: "exponential", base_delay_ms: 200, max_delay_ms: 300 },
  },
  linear: { timeout_seconds: 10, retry: { max_attempts: 5, backoff: "linear", base_delay_ms: 150 } },
  stopped: { timeout_seconds: 1, retry: { max_attempts: 3, base_delay_ms: 10 } },
  limited: { timeout_seconds: 1, retry: { max_attempts: 5, base_delay_ms: 600, total_timeout_seconds: 1 } },
};

/** What a step's work does, by the step's name; set by each test. */
const work = {};
let ports;
let engine;
let data;
let services;

/** As many ports of this machine that nobody listens on. */
async function freePorts(count) {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise((resolve) => {
          const server = createSocket().listen(0, "127.0.0.1", () => resolve(server));
        }),
    ),
  );
  const found = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return found;
}

async function startEngine() {
  data = await mkdtemp(join(tmpdir(), "step-retry-restate-"));
  const config = join(data, "restate.toml");
  await writeFile(
    config,
    [
      'roles = ["http-ingress", "admin", "worker", "log-server", "metadata-server"]',
      'node-name = "n1"',
      'cluster-name = "test"',
      'bind-ip = "127.0.0.1"',
      'listen-mode = "tcp"',
      `bind-address = "127.0.0.1:${ports.node}"`,
      `advertised-address = "http://127.0.0.1:${ports.node}/"`,
      `base-dir = "${data}"`,
      "disable-telemetry = true",
      "default-num-partitions = 2",
      'rocksdb-total-memory-size = "128 MiB"',
      'log-filter = "warn"',
      "[ingress]",
      `bind-address = "127.0.0.1:${ports.ingress}"`,
      "[admin]",
      `bind-address = "127.0.0.1:${ports.admin}"`,
    ].join("\n"),
  );
  engine = spawn(program, ["--no-logo"], {
    env: { ...process.env, RESTATE_CONFIG: config },
    stdio: ["ignore", "pipe", "pipe"],
  });
  // Also where this process ends before its tests do.
  process.once("exit", () => engine.kill("SIGKILL"));
  let log = "";
  for (const stream of [engine.stdout, engine.stderr]) stream.setEncoding("utf8").on("data", (text) => (log += text));
  for (let waited = 0; waited < 60_000; waited += 100) {
    const healthy = await fetch(`http://127.0.0.1:${ports.admin}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (healthy) return;
    if (engine.exitCode !== null) break;
    await sleep(100);
  }
  throw new Error(`restate-server did not start: ${log.slice(-2000)}`);
}

async function startServices() {
  const handlers = {};
  for (const [name, step] of Object.entries(STEPS)) {
    const made = await imported(folder, "restate", step, name);
    const run = Object.values(made).find((value) => typeof value === "function");
    handlers[name] = (ctx) => run(ctx, (signal) => work[name](signal));
  }
  const service = restate.service({ name: "steps", handlers });
  const listen = restate.createEndpointHandler({ services: [service], logger: () => {} });
  services = createServer(listen).listen(ports.services, "127.0.0.1");
  const registered = await fetch(`http://127.0.0.1:${ports.admin}/deployments`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ uri: `http://127.0.0.1:${ports.services}` }),
  });
  assert.ok(registered.ok, await registered.text());
}

/** Calls a step once; `act` is told the attempt and its signal. */
async function run(name, act) {
  const attempts = [];
  work[name] = async (signal) => {
    attempts.push({ startedAt: performance.now() });
    try {
      return await act(attempts.length, signal);
    } finally {
      attempts.at(-1).endedAt = performance.now();
    }
  };
  const answer = await fetch(`http://127.0.0.1:${ports.ingress}/steps/${name}`, { method: "POST" });
  return { attempts, ok: answer.ok, body: await answer.json() };
}

const busy = () => {
  throw Object.assign(new Error("busy"), { retryable: true });
};

describe("on Restate", { skip }, () => {
  before(async () => {
    const [ingress, admin, node, own] = await freePorts(4);
    ports = { ingress, admin, node, services: own };
    await startEngine();
    await startServices();
  });

  after(async () => {
    services?.close();
    if (engine !== undefined && engine.exitCode === null) {
      const gone = new Promise((resolve) => engine.once("exit", resolve));
      engine.kill("SIGKILL");
      await gone;
    }
    if (data !== undefined) await rm(data, { recursive: true, force: true });
  });

  for (const name of ["doubled", "capped", "linear"])
    test(`${name} waits are those of the table`, (t) => holds(t, "restate", STEPS[name], () => run(name, busy)));

  test("a failure that says nothing is final, and one that does is mended by another attempt", async () => {
    for (const name of ["doubled", "linear"]) {
      const final = await run(name, () => {
        throw new Error("no such invoice");
      });
      assert.deepEqual([final.attempts.length, final.ok], [1, false]);
      assert.match(final.body.message, /no such invoice/);
      const mended = await run(name, (attempt) => (attempt < 2 ? busy() : 42));
      assert.deepEqual([mended.attempts.length, mended.ok, mended.body], [2, true, 42]);
    }
  });

  test("an attempt is stopped at its limit and not tried again", async () => {
    const { attempts, ok, body } = await run("stopped", (_, signal) =>
      sleep(5000, undefined, { signal }).catch(() => {}),
    );
    assert.deepEqual([attempts.length, ok], [1, false]);
    assert.match(body.message, /timed out after 1000 ms/);
  });

  test("the total limit cuts the last attempt and ends the step", async () => {
    const { attempts, ok } = await run("limited", (attempt, signal) =>
      attempt === 1 ? busy() : sleep(5000, undefined, { signal }).catch(() => {}),
    );
    assert.deepEqual([attempts.length, ok], [2, false]);
    const whole = attempts[1].endedAt - attempts[0].startedAt;
    assert.ok(whole >= 950 && whole < 1250, `${whole} ms in all`);
  });
});
