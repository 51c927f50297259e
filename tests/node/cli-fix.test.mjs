// `step-retry validate --fix`: what is mended, and that nothing else is touched.

import assert from "node:assert/strict";
import { chmod, readdir, readFile, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { courier, folderWith, stepRetry } from "./command.mjs";

const MISSPELLED = courier("timeout_second: 5  # patience", "retry:", "  max_attempt: 3", "  backof: linear");
const MENDED = MISSPELLED.replace("timeout_second:", "timeout_seconds:")
  .replace("max_attempt:", "max_attempts:")
  .replace("backof:", "backoff:");

const read = (folder, path) => readFile(join(folder, path), "utf8");

test("misspelled keys are mended in place, comments and layout kept; then the file is checked", async (t) => {
  const cwd = await folderWith(t, { "w.yaml": MISSPELLED });
  const { stdout, stderr, code } = await stepRetry(["validate", "--fix", "w.yaml"], { cwd });
  assert.equal(await read(cwd, "w.yaml"), MENDED);
  assert.equal(stdout, "Valid: courier v1 (1 step)\n");
  assert.deepEqual(stderr.match(/^Mended w\.yaml:\d+/gm), ["Mended w.yaml:9", "Mended w.yaml:11", "Mended w.yaml:12"]);
  assert.equal(code, 0);
  assert.deepEqual(await readdir(cwd), ["w.yaml"]);
});

test("breaks, a byte order mark and wide characters before the place stay as they are", async (t) => {
  const dressed = (text) => `\ufeff# 🦊 über\n${text}`.replaceAll("\n", "\r\n");
  const cwd = await folderWith(t, { "w.yaml": dressed(MISSPELLED) });
  await stepRetry(["validate", "--fix", "w.yaml"], { cwd });
  assert.equal(await read(cwd, "w.yaml"), dressed(MENDED));
});

test("where there is a choice to make, nothing is mended", async (t) => {
  const text = courier("timeout_seconds: 5", "retry:", "  max_attempts: 2", "  on_timeout: true");
  const cwd = await folderWith(t, { "w.yaml": text });
  const { stderr, code } = await stepRetry(["validate", "--fix", "w.yaml"], { cwd });
  assert.equal(await read(cwd, "w.yaml"), text);
  assert.match(stderr, /^Invalid workflow: .*requires 'idempotent: true'/);
  assert.equal(code, 1);
});

test("--dry-run shows a diff on stdout and changes nothing", async (t) => {
  const cwd = await folderWith(t, { "w.yaml": MISSPELLED });
  const { stdout, stderr, code } = await stepRetry(["validate", "--fix", "--dry-run", "w.yaml"], { cwd });
  assert.equal(await read(cwd, "w.yaml"), MISSPELLED);
  assert.equal(
    stdout,
    `${["--- w.yaml", "+++ w.yaml", "@@ -6,7 +6,7 @@", "     description: Pull the manifest.", "     execution: auto", "     handler: pull_manifest", "-    timeout_second: 5  # patience", "+    timeout_seconds: 5  # patience", "     retry:", "-      max_attempt: 3", "-      backof: linear", "+      max_attempts: 3", "+      backoff: linear"].join("\n")}\n`,
  );
  assert.match(stderr, /^Would mend w\.yaml:9: .*\n(?:.*\n)*Valid: courier v1 \(1 step\)\n$/);
  assert.equal(code, 0);
});

test("a file that is right is not written", async (t) => {
  const cwd = await folderWith(t, { "w.yaml": courier() });
  const before = (await stat(join(cwd, "w.yaml"))).mtimeMs;
  await stepRetry(["validate", "--fix", "w.yaml"], { cwd });
  assert.equal((await stat(join(cwd, "w.yaml"))).mtimeMs, before);
});

test("permissions are kept, and a link stays a link to the mended file", async (t) => {
  const cwd = await folderWith(t, { "real.yaml": MISSPELLED });
  await chmod(join(cwd, "real.yaml"), 0o640);
  await symlink("real.yaml", join(cwd, "link.yaml"));
  await stepRetry(["validate", "--fix", "link.yaml"], { cwd });
  assert.equal(await read(cwd, "real.yaml"), MENDED);
  assert.equal((await stat(join(cwd, "real.yaml"))).mode & 0o777, 0o640);
  assert.deepEqual((await readdir(cwd)).sort(), ["link.yaml", "real.yaml"]);
});

test("standard input is mended to standard output, and told about on stderr", async () => {
  const { stdout, stderr, code } = await stepRetry(["validate", "--fix", "-"], { input: MISSPELLED });
  assert.equal(stdout, MENDED);
  assert.match(stderr, /Valid: courier v1 \(1 step\)\n$/);
  assert.equal(code, 0);
});

test("--dry-run without --fix is wrong usage", async () => {
  assert.equal((await stepRetry(["validate", "--dry-run", "w.yaml"])).code, 2);
});
