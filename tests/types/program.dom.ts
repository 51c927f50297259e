// Where the platform's own types are loaded, they fit.

import { init } from "step-retry/slim";

void init(fetch("step_retry.wasm"));
void init(new WebAssembly.Module(new Uint8Array(8)));
