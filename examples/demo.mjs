// The whole product at work: the command of the built package, on the three workflow files beside
// this one, and one of their steps run against a server that fails. `cargo xtask demo` builds first.

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { startFlakyServer } from "./flaky-server.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const COMMAND = fileURLToPath(new URL("../pkg/dist/cli.js", import.meta.url));
const PIPELINE = "examples/article-pipeline/workflow.yaml";

const server = await startFlakyServer([503, "hang", 200]);

const SCENES = [
  { title: "A file with warnings: accepted", args: ["validate", PIPELINE], exit: 0 },
  { title: "The same under --strict: a warning refuses it", args: ["validate", "--strict", PIPELINE], exit: 1 },
  { title: "A file with errors: refused", args: ["validate", "examples/incident-response"], exit: 1 },
  {
    title: "A file with misspelled keys: refused, with what was meant",
    args: ["validate", "examples/nightly-sync"],
    exit: 1,
  },
  { title: "What a step's retries will do", args: ["plan", PIPELINE, "fetch_source"], exit: 0 },
  {
    title: "The step, run for real: 503, then no answer, then 200",
    args: ["run", PIPELINE, "fetch_source", "--get", server.url],
    exit: 0,
  },
];

let asExpected = true;
for (const { title, args, exit } of SCENES) {
  console.log(`\n── ${title}\n$ step-retry ${args.join(" ")}\n`);
  const code = await runCommand(args);
  if (code !== exit) {
    asExpected = false;
    console.log(`\n!! expected exit code ${exit}, got ${code}`);
  }
}
await server.close();
console.log(
  asExpected
    ? "\nEvery command did what it should."
    : "\nA command did not do what it should: see the lines marked !!.",
);
process.exitCode = asExpected ? 0 : 1;

/** Runs the command as a user would, its output going where ours goes. */
function runCommand(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [COMMAND, ...args], { cwd: ROOT, stdio: "inherit" });
    child.on("error", reject);
    child.on("exit", (code, signal) => resolve(code ?? signal));
  });
}
