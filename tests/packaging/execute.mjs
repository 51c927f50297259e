// Commands and servers of an app.

import { spawn } from "node:child_process";
import { createServer } from "node:net";

/** A machine with two busy cores takes its time. */
const PATIENCE_MS = 600_000;

// What a developer has set must not change what an app does.
const { NODE_OPTIONS, NODE_PATH, ...inherited } = process.env;
const env = { ...inherited, NO_COLOR: "1", NEXT_TELEMETRY_DISABLED: "1", DO_NOT_TRACK: "1", CI: "true" };

/** Runs a command to its end and gives what it printed; throws with all of it where it fails. */
export function execute([program, ...words], folder, more = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      cwd: folder,
      env: { ...env, ...more },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: PATIENCE_MS,
    });
    const printed = listen(child);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (code === 0) resolve(printed.text);
      else reject(new Error(`${[program, ...words].join(" ")} ended with ${code ?? signal}\n${printed.text}`));
    });
  });
}

/** Starts a server, in a group of its own: what it starts ends with it. */
export function start([program, ...words], folder, more = {}) {
  const child = spawn(program, words, {
    cwd: folder,
    env: { ...env, ...more },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const printed = listen(child);
  const ended = new Promise((resolve) => child.on("close", resolve));
  return {
    /** Waits until it answers. */
    async answers(url) {
      const end = Date.now() + PATIENCE_MS;
      while (Date.now() < end && child.exitCode === null) {
        if (
          await fetch(url).then(
            () => true,
            () => false,
          )
        )
          return;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      throw new Error(`the server does not answer at ${url}\n${printed.text}`);
    },
    async close() {
      if (child.exitCode === null) process.kill(-child.pid);
      await ended;
    },
  };
}

function listen(child) {
  const printed = { text: "" };
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      printed.text += text;
    });
  }
  return printed;
}

/** A port that nobody listens on. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
