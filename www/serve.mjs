// Serves the built page on this machine: `node www/serve.mjs [--port N]`.

import { parseArgs } from "node:util";
import { DEFAULT_PORT, readPort, serve } from "./server.mjs";

try {
  const { values } = parseArgs({ options: { port: { type: "string", default: DEFAULT_PORT } } });
  await serve(readPort(values.port));
} catch (error) {
  console.error(error.message);
  process.exit(2);
}
