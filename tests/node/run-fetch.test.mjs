// Requests as attempts, and what their answers say about trying again.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { fetchAttempt, httpFailure, isStepRetryError, parseRetryAfter, runStep } from "step-retry";
import { delay } from "./runs.mjs";

/** Answers each request with the next of `answers`, and keeps what was asked. */
const server = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => (body += chunk));
  request.on("end", () => {
    asked.push({ method: request.method, body });
    answers.length > 1 ? answers.shift()(response) : answers[0](response);
  });
});
let asked = [];
let answers = [];
let url;

before(async () => {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${server.address().port}/record`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const answer =
  (status, headers = {}, body = `status ${status}`) =>
  (response) =>
    response.writeHead(status, headers).end(body);

function serve(...given) {
  asked = [];
  answers = given;
}

const STEP = { timeout_seconds: 5, retry: { max_attempts: 3, base_delay_ms: 1 } };

test("a request is tried again while its answer says that this can help, and its response is the value", async () => {
  serve(answer(503), answer(429, { "retry-after-ms": "2.5" }), answer(200, {}, "here"));
  const { value, record } = await runStep(STEP, fetchAttempt(url));
  assert.equal(await value.text(), "here");
  assert.deepEqual(
    record.attempts.map(({ error }) => error?.code),
    ["SERVICE_HTTP_5XX", "SERVICE_RATE_LIMITED", undefined],
  );
  assert.equal(record.attempts[2].wait_before_ms, 2.5);
});

test("an answer that will not change is final, and its body readable where that was asked for", async () => {
  serve(answer(404, {}, "no such record"));
  const kept = await runStep(STEP, fetchAttempt(url, undefined, { keepBody: true }));
  assert.deepEqual([asked.length, kept.error.code, kept.error.cause.response.status], [1, "SERVICE_HTTP_4XX", 404]);
  assert.equal(await kept.error.cause.response.text(), "no such record");
  const dropped = await runStep(STEP, fetchAttempt(url));
  assert.equal(dropped.error.cause.response.bodyUsed, true);
});

test("a body is sent with each attempt, also one of a Request or a stream", async () => {
  const stream = () =>
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode("draft"));
        controller.close();
      },
    });
  const requests = [
    [url, { method: "POST", body: "draft" }],
    [new URL(url), { method: "POST", body: new TextEncoder().encode("draft") }],
    [new Request(url, { method: "POST", body: "draft" })],
    [url, { method: "POST", body: stream(), duplex: "half" }],
  ];
  for (const given of requests) {
    serve(answer(503), answer(200));
    assert.equal((await runStep(STEP, fetchAttempt(...given))).ok, true);
    assert.deepEqual(asked, Array(2).fill({ method: "POST", body: "draft" }));
  }
});

test("a network that cannot be reached may be tried again; a write that may have arrived is ambiguous", async () => {
  const failures = async (request, init) =>
    (await runStep(STEP, fetchAttempt(request, init))).record.attempts.map(({ error }) => error);
  const closed = await new Promise((resolve) => {
    const other = createServer().listen(0, "127.0.0.1", () => {
      const { port } = other.address();
      other.close(() => resolve(`http://127.0.0.1:${port}/`));
    });
  });
  for (const init of [undefined, { method: "POST", body: "draft" }]) {
    const refused = await failures(closed, init);
    assert.deepEqual(
      refused.map(({ code, category }) => [code, category]),
      Array(3).fill(["NETWORK_UNREACHABLE", "temporary"]),
    );
    assert.match(refused[0].message, /^127\.0\.0\.1:\d+ cannot be reached: .*ECONNREFUSED/);
  }
  serve((response) => response.destroy());
  for (const [method, category] of [
    ["GET", "temporary"],
    ["PUT", "temporary"],
    ["POST", "ambiguous"],
    ["PATCH", "ambiguous"],
  ]) {
    const [first] = await failures(url, { method, ...(method !== "GET" && { body: "draft" }) });
    assert.deepEqual([first.code, first.category, first.retryable], ["NETWORK_UNREACHABLE", category, true], method);
  }
});

test("readBody: a connection that breaks in the body fails the attempt, and the body is the caller's all the same", async () => {
  const broken = (response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("half");
    setTimeout(() => response.destroy(), 5);
  };
  serve(broken, answer(200, {}, "whole"));
  const { value, record } = await runStep(STEP, fetchAttempt(url, undefined, { readBody: true }));
  assert.deepEqual([record.attempts[0].error.code, await value.text()], ["NETWORK_UNREACHABLE", "whole"]);
  serve(answer(204, {}, ""));
  assert.equal((await runStep(STEP, fetchAttempt(url, undefined, { readBody: true }))).value.status, 204);
});

test("a request that hangs ends with its attempt, and is no network failure", async () => {
  const gone = [];
  serve((response) => response.on("close", () => gone.push("closed")));
  const timedOut = await runStep(STEP, fetchAttempt(url), { budgetMs: 40 });
  assert.deepEqual(
    timedOut.record.attempts.map(({ error }) => [error.code, error.category]),
    [["STEP_TIMEOUT", "ambiguous"]],
  );
  const aborted = await runStep(STEP, fetchAttempt(url), { signal: AbortSignal.timeout(40) });
  assert.deepEqual([aborted.record.outcome, aborted.error.cause.name], ["aborted", "TimeoutError"]);
  await delay(20);
  assert.deepEqual(gone, ["closed", "closed"]);
});

test("trap 60: what is no request is refused before anything runs, not tried again as a network error", () => {
  const refused = [
    ["no url"],
    ["http://[bad"],
    [undefined],
    [url, { method: "B A D" }],
    [url, { headers: { "a b": "c" } }],
    [url, { method: "GET", body: "x" }],
  ];
  for (const given of refused) {
    assert.throws(
      () => fetchAttempt(...given),
      (error) => isStepRetryError(error) && error.code === "INVALID_ARGUMENT" && error.path[0] === "request",
    );
  }
  assert.throws(() => fetchAttempt(url, { signal: new AbortController().signal }), {
    code: "INVALID_ARGUMENT",
    path: ["init", "signal"],
  });
});

test("another fetch and another wall clock can be given", async () => {
  const date = new Date(Date.UTC(2026, 10, 30, 12, 0, 30)).toUTCString();
  const options = {
    fetch: async () => new Response("", { status: 503, headers: { "retry-after": date } }),
    wallNow: () => Date.UTC(2026, 10, 30, 12),
  };
  const { record } = await runStep({ ...STEP, retry: { max_attempts: 2 } }, fetchAttempt(url, undefined, options), {
    retryAfter: "fail",
    retryAfterCapMs: 29_999,
  });
  assert.equal(record.exhausted_by, "retry_after");
  assert.equal(httpFailure(503, { "retry-after": date }, options.wallNow()).retryAfterMs, 30_000);
});

test("httpFailure and parseRetryAfter take headers as fetch and Node give them, and refuse what are none", () => {
  for (const headers of [
    new Headers({ "Retry-After": "7" }),
    { "Retry-After": "7" },
    { "retry-after": 7 },
    { "retry-after": ["7"] },
    new Map([["retry-after", "7"]]),
  ]) {
    assert.equal(parseRetryAfter(headers, 0), 7000);
    assert.equal(httpFailure(429, headers).retryAfterMs, 7000);
  }
  assert.equal(parseRetryAfter({}), null);
  assert.equal("retryAfterMs" in httpFailure(503), false);
  assert.equal(httpFailure(503, { "x-should-retry": "false" }).retryable, false);
  assert.equal(httpFailure(400, { "x-should-retry": "true" }).retryable, true);
  for (const status of [99, 1000, 200.5, "503", NaN, undefined])
    assert.throws(() => httpFailure(status), { code: "INVALID_ARGUMENT", path: ["status"] });
  for (const headers of [null, "retry-after: 7", 7]) {
    assert.throws(() => httpFailure(503, headers), { code: "INVALID_ARGUMENT", path: ["headers"] });
    assert.throws(() => parseRetryAfter(headers), { code: "INVALID_ARGUMENT", path: ["headers"] });
  }
  assert.throws(() => parseRetryAfter({}, NaN), { code: "INVALID_ARGUMENT", path: ["nowMs"] });
});
