import wasm from "step-retry/step_retry.wasm";
import { work } from "./work.js";

work(() => wasm).then(console.log);
