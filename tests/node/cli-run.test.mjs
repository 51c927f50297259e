// `step-retry run`: a step run for real, against a server that fails on purpose.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { startFlakyServer } from "../../examples/flaky-server.mjs";
import { courier, folderWith, stepRetry } from "./command.mjs";

const TEXT = courier(
  "timeout_seconds: 1",
  "idempotent: true",
  "retry:",
  "  max_attempts: 3",
  "  base_delay_ms: 20",
  "  on_timeout: true",
);

async function serve(t, script) {
  const server = await startFlakyServer(script);
  t.after(() => server.close());
  return server;
}

async function run(t, script, ...options) {
  const server = await serve(t, script);
  const cwd = await folderWith(t, { "workflow.yaml": TEXT });
  return {
    cwd,
    server,
    ...(await stepRetry(["run", "workflow.yaml", "pull", "--get", server.url, ...options], { cwd })),
  };
}

test("503, no answer, 200: told as it happens, then the record", async (t) => {
  const { stdout, stderr, code, server } = await run(t, [503, "hang", 200]);
  assert.equal(code, 0);
  assert.equal(server.calls(), 3);
  const told = stderr
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/after [\d.]+ m?s/, "after TIME"));
  assert.deepEqual(
    told.map((line) => line.replace(/(SERVICE_HTTP_5XX).*/, "$1")),
    [
      "attempt 1/3  started, limit 1 s",
      "attempt 1/3  failed after TIME  SERVICE_HTTP_5XX",
      "attempt 2/3  waiting 20 ms",
      "attempt 2/3  started, limit 1 s",
      "attempt 2/3  failed after TIME  STEP_TIMEOUT: Step 'pull' timed out after 1000ms",
      "attempt 3/3  waiting 20 ms",
      "attempt 3/3  started, limit 1 s",
      "attempt 3/3  succeeded after TIME",
    ],
  );
  const [heading, ...attempts] = stdout.trimEnd().split("\n");
  assert.equal(heading, "  1. pull");
  assert.match(attempts[0], /^ {5}\(attempt 1\/3\) {2}error {3}\d+ms {3}hash: 44136fa3$/);
  assert.match(attempts[1], /^ {5}\(attempt 2\/3\) {2}error {3}1\d\d\dms {3}hash: 44136fa3$/);
  assert.match(attempts[2], /^ {5}\(attempt 3\/3\) {2}success {3}\d+ms {3}hash: [0-9a-f]{8}$/);
  assert.equal(attempts.length, 3);
});

test("a server that stays down: the attempts run out, exit 1", async (t) => {
  const { stdout, code, server } = await run(t, [503]);
  assert.match(stdout, /\nSTEP_RETRY_EXHAUSTED: Step 'pull' failed after 3 attempts\n$/);
  assert.deepEqual([code, server.calls()], [1, 3]);
});

test("404 is not tried again", async (t) => {
  const { stdout, code, server } = await run(t, [404]);
  assert.match(stdout, /\nSERVICE_HTTP_4XX: /);
  assert.deepEqual([code, server.calls()], [1, 1]);
});

test("a port nobody listens on is tried again as NETWORK_UNREACHABLE", async (t) => {
  const cwd = await folderWith(t, { "workflow.yaml": TEXT });
  const { stderr, code } = await stepRetry(
    ["run", "workflow.yaml", "pull", "--get", `http://127.0.0.1:${await freePort()}/`],
    { cwd },
  );
  assert.equal(stderr.match(/NETWORK_UNREACHABLE/g)?.length, 3);
  assert.equal(code, 1);
});

test("--json prints the record, --record keeps it", async (t) => {
  const { stdout, cwd } = await run(t, [503, 200], "--json", "--record", "record.json");
  const record = JSON.parse(stdout);
  assert.equal(record.step, "pull");
  assert.equal(record.outcome, "succeeded");
  assert.deepEqual(
    record.attempts.map(({ status }) => status),
    ["error", "success"],
  );
  assert.deepEqual(JSON.parse(await readFile(join(cwd, "record.json"), "utf8")), record);
});

test("an interrupt ends the step at once, exit 130", async (t) => {
  const server = await serve(t, ["hang"]);
  const cwd = await folderWith(t, { "workflow.yaml": TEXT.replace("timeout_seconds: 1", "timeout_seconds: 60") });
  const { code, stdout } = await stepRetry(["run", "workflow.yaml", "pull", "--get", server.url, "--json"], {
    cwd,
    child: (child) => child.stderr.once("data", () => child.kill("SIGINT")),
  });
  assert.equal(code, 130);
  assert.equal(JSON.parse(stdout).outcome, "aborted");
});

test("a file with errors is not run; unknown keys do not stop it", async (t) => {
  const server = await serve(t, [200]);
  const cwd = await folderWith(t, { "bad.yaml": courier("timeout_seconds: 0"), "odd.yaml": courier("colour: red") });
  const bad = await stepRetry(["run", "bad.yaml", "pull", "--get", server.url], { cwd });
  assert.deepEqual(
    [bad.code, bad.stderr, server.calls()],
    [1, "Invalid workflow: Step 'pull': 'timeout_seconds' must be a positive integer (step at line 5)\n", 0],
  );
  assert.equal((await stepRetry(["run", "odd.yaml", "pull", "--get", server.url], { cwd })).code, 0);
});

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
