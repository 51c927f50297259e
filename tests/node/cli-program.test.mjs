// `step-retry run FILE STEP -- program`: a program under a step's limits.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { courier, folderWith, stepRetry } from "./command.mjs";

const PATIENT = courier("timeout_seconds: 20", "retry:", "  max_attempts: 3", "  base_delay_ms: 10");
const HASTY = courier("timeout_seconds: 1", "idempotent: true", "retry:", "  max_attempts: 2", "  on_timeout: true");

/** Runs a shell script under the step of `text`. */
async function run(t, text, script, { options = [], ...more } = {}) {
  const cwd = await folderWith(t, { "w.yaml": text });
  return {
    cwd,
    ...(await stepRetry(["run", ...options, "w.yaml", "pull", "--", "/bin/sh", "-c", script], { cwd, ...more })),
  };
}

/** Fails with `code` twice, counting its calls in a file, then succeeds. */
const thirdTimeLucky = (code) =>
  `echo call >> calls; echo working; echo trouble >&2; [ $(wc -l < calls) -ge 3 ] || exit ${code}`;

test("exit code 75 is tried again; output is passed on with the attempt in front", async (t) => {
  const { stdout, stderr, code } = await run(t, PATIENT, thirdTimeLucky(75));
  assert.equal(stdout, "[1/3] working\n[2/3] working\n[3/3] working\n");
  assert.match(stderr, /^\[2\/3\] trouble$/m);
  assert.match(stderr, /PROGRAM_FAILED: '\/bin\/sh' exited with 75/);
  assert.match(stderr, /\(attempt 3\/3\) {2}success/);
  assert.equal(code, 0);
});

test("other exit codes end the step, and become the command's own", async (t) => {
  const { stdout, code } = await run(t, PATIENT, thirdTimeLucky(3));
  assert.deepEqual([stdout, code], ["[1/3] working\n", 3]);
});

test("--retry-on says which exit codes are tried again; the last one is the command's own", async (t) => {
  assert.equal((await run(t, PATIENT, thirdTimeLucky(3), { options: ["--retry-on", "3,4"] })).code, 0);
  const { stderr, code } = await run(t, PATIENT, "exit 4", { options: ["--retry-on", "3,4"] });
  assert.match(stderr, /STEP_RETRY_EXHAUSTED: Step 'pull' failed after 3 attempts/);
  assert.equal(code, 4);
});

test("at its limit a program is ended with everything it started, exit 124", async (t) => {
  const { cwd, stderr, code } = await run(t, HASTY, "sleep 60 & echo $! >> children; wait");
  assert.match(stderr, /STEP_TIMEOUT: Step 'pull' timed out after 1000ms/);
  assert.equal(code, 124);
  const children = (await readFile(join(cwd, "children"), "utf8")).trim().split("\n");
  assert.equal(children.length, 2);
  for (const pid of children) assert.equal(await isGone(Number(pid)), true);
});

test("a program that will not end is killed after the grace", async (t) => {
  const start = performance.now();
  const { code } = await run(
    t,
    HASTY.replace("max_attempts: 2", "max_attempts: 1"),
    'trap "" TERM; while :; do sleep 60; done',
    { options: ["--grace", "200"] },
  );
  assert.equal(code, 124);
  assert.ok(performance.now() - start < 10_000);
});

test("a signal is passed on to the program; the step ends and no attempt follows", async (t) => {
  const { cwd, stderr, code } = await run(
    t,
    PATIENT,
    'trap "echo ended > fate; exit 75" TERM; echo ready >&2; while :; do sleep 0.05; done',
    {
      child: (child) => {
        child.stderr.on("data", (text) => text.includes("ready") && child.kill("SIGTERM"));
      },
    },
  );
  assert.equal(await readFile(join(cwd, "fate"), "utf8"), "ended\n");
  assert.doesNotMatch(stderr, /attempt 2\/3/);
  assert.equal(code, 143);
});

test("a program that does not exist is not tried again, exit 127", async (t) => {
  const cwd = await folderWith(t, { "w.yaml": PATIENT });
  const { stderr, code } = await stepRetry(["run", "w.yaml", "pull", "--", "no-such-program"], { cwd });
  assert.match(stderr, /PROGRAM_NOT_STARTED: 'no-such-program' cannot be started/);
  assert.doesNotMatch(stderr, /attempt 2\/3/);
  assert.equal(code, 127);
});

test("with --json the record has stdout to itself, and --record keeps it", async (t) => {
  const { cwd, stdout, stderr } = await run(t, PATIENT, "echo hello", {
    options: ["--json", "--record", "record.json"],
  });
  assert.deepEqual(JSON.parse(stdout), JSON.parse(await readFile(join(cwd, "record.json"), "utf8")));
  assert.match(stderr, /^\[1\/3\] hello$/m);
});

test("a program and an address together are wrong usage, and so is neither", async () => {
  for (const rest of [["--get", "http://127.0.0.1/", "--", "true"], ["--"], ["--retry-on", "999", "--", "true"]]) {
    assert.equal((await stepRetry(["run", "w.yaml", "pull", ...rest])).code, 2, rest.join(" "));
  }
});

/** Whether process `pid` has ended, looking for up to two seconds. */
async function isGone(pid) {
  for (let look = 0; look < 40; look++) {
    try {
      process.kill(pid, 0);
      // A dead process that nobody has collected yet still has its number.
      if (/^State:\s+Z/m.test(await readFile(`/proc/${pid}/status`, "utf8"))) return true;
    } catch {
      return true;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return false;
}
