import { show } from "./show.js";
import { work } from "./work.js";

show(work(() => fetch(new URL("./node_modules/step-retry/dist/step_retry.wasm", import.meta.url))));
