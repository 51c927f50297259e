import { work } from "./work.js";

work(() => fetch(new URL("./node_modules/step-retry/dist/step_retry.wasm", import.meta.url))).then((told) =>
  postMessage(told),
);
