// The command line itself: help, version, wrong usage.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { courier, folderWith, stepRetry } from "./command.mjs";

test("help is on stdout, exit 0, for the command and for each of its own", async () => {
  for (const args of [
    ["--help"],
    ["help"],
    ["validate", "--help"],
    ["plan", "-h"],
    ["run", "--help"],
    ["export", "--help"],
  ]) {
    const { stdout, stderr, code } = await stepRetry(args);
    assert.match(stdout, /^Usage: step-retry/m, args.join(" "));
    assert.deepEqual([stderr, code], ["", 0]);
  }
});

test("--version is the package's", async () => {
  const { version } = JSON.parse(await readFile(new URL("../../pkg/package.json", import.meta.url), "utf8"));
  assert.deepEqual(await stepRetry(["--version"]), { stdout: `${version}\n`, stderr: "", code: 0 });
});

const WRONG = [
  [[], "step-retry: which command?"],
  [["frobnicate"], "step-retry: there is no command 'frobnicate'"],
  [["validate"], "step-retry validate: which file?"],
  [["validate", "--wrong", "a.yaml"], "step-retry validate: Unknown option '--wrong'"],
  [["plan"], "step-retry plan: give one workflow file"],
  [["plan", "a", "b", "c"], "step-retry plan: give one workflow file"],
  [["plan", "a", "--rows", "0"], "step-retry plan: --rows takes a whole number from 1, not '0'"],
  [["plan", "a", "--rows", "many"], "step-retry plan: --rows takes a whole number from 1, not 'many'"],
  [["run", "a"], "step-retry run: give one workflow file and one step"],
  [["run", "a", "b"], "step-retry run: say what to run"],
  [["export", "a", "b"], "step-retry export: say for which engine: --to ENGINE"],
  [["export", "a", "--to", "dbos"], "step-retry export: give one workflow file and one step"],
  [["export", "a", "b", "--to", "airflow"], "step-retry export: --to takes one of temporal, step-functions"],
  [["export", "a", "b", "--to", "dbos", "--max-loss", "all"], "step-retry export: --max-loss takes exact, code"],
  [["run", "a", "b", "--get", "ftp://x/"], "step-retry run: --get takes an http or https address"],
];

for (const [args, message] of WRONG) {
  test(`wrong usage is one line and exit 2: step-retry ${args.join(" ")}`, async () => {
    const { stdout, stderr, code } = await stepRetry(args);
    assert.ok(stderr.startsWith(message), stderr);
    assert.match(stderr, /^[^\n]*--help' says how\.\n$/);
    assert.deepEqual([stdout, code], ["", 2]);
  });
}

test("a reader that stops early, as head does, is no failure", async (t) => {
  const cwd = await folderWith(t, {
    "workflow.yaml": courier("timeout_seconds: 1", "retry:", "  max_attempts: 10000"),
  });
  const { stderr, code } = await stepRetry(["plan", "workflow.yaml", "pull", "--json", "--rows", "10000"], {
    cwd,
    child: (child) => child.stdout.once("data", () => child.stdout.destroy()),
  });
  assert.deepEqual([stderr, code], ["", 0]);
});
