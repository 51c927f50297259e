import wasm from "step-retry/step_retry.wasm?url";
import { show } from "./show.js";
import { work } from "./work.js";

show(work(() => fetch(wasm)));
