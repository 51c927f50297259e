// A server on this machine that answers each call as a script says; for the demo and the tests.

import { createServer } from "node:http";

/**
 * Starts it on a free port of 127.0.0.1. `script` holds what each call gets, in order: a status code,
 * or "hang" for no answer at all. The last one repeats.
 */
export async function startFlakyServer(script) {
  let calls = 0;
  const server = createServer((_request, response) => {
    const answer = script[Math.min(calls, script.length - 1)];
    calls += 1;
    if (answer === "hang") return;
    response.writeHead(answer, { "content-type": "text/plain" });
    response.end(answer === 200 ? "The source, at last.\n" : "Not now.\n");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/source`,
    /** How many calls have come in. */
    calls: () => calls,
    /** Ends it, hanging calls included. */
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
