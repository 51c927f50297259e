const { readFileSync } = require("node:fs");
const { work } = require("./work.cjs");

work(() => readFileSync(require.resolve("step-retry/step_retry.wasm"))).then(console.log);
