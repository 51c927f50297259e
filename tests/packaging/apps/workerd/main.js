import wasm from "step-retry/step_retry.wasm";
import { work } from "./work.js";

export default {
  async fetch() {
    return new Response(await work(() => wasm));
  },
};
