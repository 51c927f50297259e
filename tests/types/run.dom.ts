// Where the platform's own types are loaded, requests take and give them.

import { fetchAttempt, runStep, StepRun } from "step-retry";

const post = fetchAttempt(new URL("https://example.com"), { method: "POST", body: "draft", keepalive: true });
void runStep({}, post, { signal: new AbortController().signal }).then(({ value }) => value?.headers.get("etag"));
void runStep(
  {},
  fetchAttempt(new Request("https://example.com"), {}, { fetch: (request, init) => fetch(request, init) }),
);
void runStep({}, async (context) => (await fetchAttempt("/record")(context)).json());

{
  using run = new StepRun({});
  run.next(0);
}

// @ts-expect-error: no such method of a body
fetchAttempt("https://example.com", { method: 5 });
