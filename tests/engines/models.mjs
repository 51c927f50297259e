// A small model of each engine: how many attempts its own settings mean, and how long it waits after
// each, by the formulas of its pages and sources. Written apart from the core, which it judges.

const capped = (wait, cap) => Math.min(wait, cap ?? Number.POSITIVE_INFINITY);
const seconds = (wait) => wait * 1000;
const geometric = (first, ratio, cap) => (k) => capped(first * ratio ** (k - 1), cap);
const ms = (text) => Number(/^(\d+(?:\.\d+)?)ms$/.exec(text)[1]);

/** By target: what its settings mean as `{ attempts, wait(k) }`; a wait is a number or `[least, most]`. */
export const MODELS = {
  temporal: ({ retry }) => ({
    attempts: retry.maximumAttempts,
    wait: geometric(retry.initialInterval, retry.backoffCoefficient, retry.maximumInterval),
  }),
  "step-functions": ({ Retry: [retrier] = [] }) => ({
    attempts: 1 + (retrier?.MaxAttempts ?? 0),
    wait: (k) => seconds(geometric(retrier.IntervalSeconds, retrier.BackoffRate, retrier.MaxDelaySeconds)(k)),
  }),
  restate: ({ maxRetryAttempts, initialRetryInterval, retryIntervalFactor, maxRetryInterval }) => ({
    attempts: maxRetryAttempts,
    wait: geometric(initialRetryInterval, retryIntervalFactor, maxRetryInterval),
  }),
  bullmq: ({ attempts, backoff }) => ({
    attempts,
    wait: (k) => (backoff.type === "fixed" ? backoff.delay : Math.round(2 ** (k - 1) * backoff.delay)),
  }),
  cloudflare: ({ retries: { limit, delay, backoff } }) => ({
    attempts: limit + 1,
    wait: (k) => delay * { constant: 1, linear: k, exponential: 2 ** (k - 1) }[backoff],
  }),
  conductor: ({ retryCount, retryLogic, retryDelaySeconds, backoffScaleFactor, maxRetryDelaySeconds }) => ({
    attempts: retryCount + 1,
    wait: (k) => {
      const growth = {
        FIXED: 1,
        LINEAR_BACKOFF: backoffScaleFactor * k,
        EXPONENTIAL_BACKOFF: 2 ** (k - 1),
      }[retryLogic];
      // 0 is no longest wait; a fixed one has none either.
      const cap = retryLogic === "FIXED" ? undefined : maxRetryDelaySeconds || undefined;
      return seconds(capped(retryDelaySeconds * growth, cap));
    },
  }),
  "azure-durable": (policy) => ({
    attempts: policy.maxNumberOfAttempts ?? 1,
    wait: geometric(
      policy.firstRetryIntervalInMilliseconds,
      policy.backoffCoefficient,
      policy.maxRetryIntervalInMilliseconds,
    ),
  }),
  inngest: ({ retries }) => ({ attempts: retries + 1 }),
  "trigger-dev": ({ retry: { maxAttempts, minTimeoutInMs, maxTimeoutInMs, factor } }) => ({
    attempts: maxAttempts,
    wait: (k) => Math.round(Math.min(maxTimeoutInMs, minTimeoutInMs * factor ** (k - 1))),
  }),
  hatchet: ({ retries, backoff }) => ({
    attempts: retries + 1,
    wait: (k) => (backoff === undefined ? 0 : seconds(capped(backoff.factor ** k, backoff.maxSeconds))),
  }),
  "pg-boss": ({ retryLimit, retryDelay, retryBackoff }) => ({
    attempts: retryLimit + 1,
    wait: (k) => {
      if (!retryBackoff) return seconds(retryDelay);
      const half = (retryDelay * 2 ** Math.min(16, k)) / 2;
      return [seconds(half), seconds(half + half)];
    },
  }),
  "graphile-worker": ({ maxAttempts }) => ({
    attempts: maxAttempts,
    wait: (k) => seconds(Math.exp(Math.min(k, 10))),
  }),
  argo: ({ retryStrategy }) => ({
    attempts: 1 + Number(retryStrategy?.limit ?? 0),
    wait: (k) => {
      const { duration, factor, cap } = retryStrategy.backoff;
      return geometric(ms(duration), Number(factor), cap && ms(cap))(k);
    },
  }),
  "github-actions": ({ with: { max_attempts, retry_wait_seconds } }) => ({
    attempts: max_attempts,
    wait: () => seconds(retry_wait_seconds),
  }),
  "google-workflows": ({ retry }) => ({
    attempts: 1 + (retry?.max_retries ?? 0),
    wait: (k) => {
      const { initial_delay, multiplier, max_delay } = retry.backoff;
      return seconds(geometric(initial_delay, multiplier, max_delay)(k));
    },
  }),
  dbos: ({ retriesAllowed, maxAttempts, intervalSeconds, backoffRate }) => ({
    attempts: retriesAllowed ? maxAttempts : 1,
    wait: (k) => {
      let interval = intervalSeconds;
      for (let attempt = 1; attempt < k; attempt++) interval = Math.min(interval * backoffRate, 3600);
      return seconds(interval);
    },
  }),
};
