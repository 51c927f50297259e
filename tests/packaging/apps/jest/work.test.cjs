const { readFileSync, writeSync } = require("node:fs");
const { work } = require("./work.cjs");

test("the work", async () => {
  const told = await work(() => readFileSync(require.resolve("step-retry/step_retry.wasm")));
  writeSync(1, `\n${told}\n`);
}, 60_000);
