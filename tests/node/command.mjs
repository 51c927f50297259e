// Runs the command of the built package as a user would, and holds files for it to work on.

import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const COMMAND = fileURLToPath(new URL("../../pkg/dist/cli.js", import.meta.url));
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** An environment in which nothing decides on colour or characters but the test. */
const PLAIN = { PATH: process.env.PATH, LANG: "C.UTF-8" };

/** Runs `step-retry args…` and waits for its end. `child` is told of the process while it runs. */
export function stepRetry(args, { cwd = ROOT, env = {}, input, child: tell } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [COMMAND, ...args], { cwd, env: { ...PLAIN, ...env } });
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"])
      child[name].setEncoding("utf8").on("data", (text) => (output[name] += text));
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ ...output, code: code ?? signal }));
    child.stdin.on("error", () => {});
    child.stdin.end(input);
    tell?.(child);
  });
}

/** A folder of its own for a test, with `files` in it by path; gone after the test. */
export async function folderWith(t, files) {
  const folder = await mkdtemp(join(tmpdir(), "step-retry-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

/** A workflow of one auto step, `pull`, with `lines` added to it. */
export function courier(...lines) {
  return `${["id: courier", "name: Courier", "version: 1", "steps:", "  pull:", "    description: Pull the manifest.", "    execution: auto", "    handler: pull_manifest", ...lines.map((line) => `    ${line}`)].join("\n")}\n`;
}
