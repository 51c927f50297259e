import { show } from "./show.js";
import { work } from "./work.js";

show(work(() => fetch(new URL("step-retry/step_retry.wasm", import.meta.url))));
