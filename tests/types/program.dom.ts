// Where the platform's own types are loaded, they fit.

import { httpFailure, runStep } from "step-retry";
import { init } from "step-retry/slim";

void init(fetch("step_retry.wasm"));
void init(new WebAssembly.Module(new Uint8Array(8)));

void runStep(
  { timeout_seconds: 1 },
  async ({ signal }) => {
    const response = await fetch("https://example.com", { signal });
    if (!response.ok) throw httpFailure(response.status, response.headers);
    return response.text();
  },
  { signal: new AbortController().signal },
);
