// What every environment does with every entry: real work, told as plain data. `expected.json` has what
// must come of it; times are left out, since every machine has its own.

const STEP = {
  timeout_seconds: 1,
  idempotent: true,
  retry: { max_attempts: 3, backoff: "exponential", base_delay_ms: 10, on_timeout: true },
};

const FILE = `id: w
name: W
version: 1
steps:
  fetch:
    description: Fetch the record.
    execution: auto
    handler: fetch_record
    retry:
      max_attempts: 2
      backof: linear
`;

/** One piece of work for each thing that an entry may offer. */
const WORK = {
  validate({ validate }) {
    const { valid, summary, diagnostics } = validate(FILE);
    const places = diagnostics.map(({ code, range, suggestion }) => [code, range.start.line, suggestion ?? null]);
    return { valid, summary, places };
  },
  plan({ plan, planRows, delays }) {
    const { maxAttempts, worstCaseMs } = plan(STEP);
    const waits = planRows(STEP).map(({ waitBeforeMs }) => waitBeforeMs.expected);
    return { maxAttempts, worstCaseMs, waits, delays: Array.from(delays(STEP, 3)) };
  },
  /** A failure, a timeout and a success, on the host's own timers. */
  async run({ runStep }) {
    const { ok, value, record } = await runStep(STEP, ({ attempt, signal }) => {
      if (attempt === 1) throw Object.assign(new Error("busy"), { retryable: true });
      if (attempt === 3) return "done";
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    });
    const attempts = record.attempts.map(({ status, error }) => [status, error?.code ?? null]);
    return { ok, value, attempts };
  },
  restore({ StepRun, isStepRetryError }) {
    const first = new StepRun(STEP, { name: "fetch" });
    first.next(0);
    first.begin(0);
    first.fail(5, { code: "BUSY", message: "the table is locked", retryable: true });
    const run = StepRun.restore(JSON.parse(JSON.stringify(first.snapshot())));
    const decisions = [run.next(5), run.next(15)];
    run.begin(15);
    run.succeed(20, "done");
    try {
      run.begin(21);
    } catch (error) {
      return { decisions, refused: isStepRetryError(error) && error.code, ok: run.next(21).result.ok };
    }
    return { decisions };
  },
  export({ exportPolicy, importPolicy }) {
    const { value, verdict } = exportPolicy(STEP, "temporal");
    return { verdict, attempts: value.retry.maximumAttempts, back: importPolicy("temporal", value).step.retry };
  },
  fleet({ simulateFleet, plans }) {
    const options = { workers: 10, outageMs: 5, capacityPerSecond: 5000, bucketMs: 10 };
    const { calls, doneAtMs } = simulateFleet(STEP, options);
    const totals = plans(Float64Array.of(1, 3, 2, 10, Number.NaN, Number.NaN));
    return { calls: Array.from(calls), doneAtMs, totals: Array.from(totals) };
  },
  /** Its parts are there also where there is no document yet; the rows of the app `editor` mount them. */
  editor({ stepRetry, stepRetryKeymap }) {
    return { extensions: stepRetry().length > 0, keys: stepRetryKeymap.length };
  },
  element({ StepRetryPlayground }) {
    return { attributes: StepRetryPlayground.observedAttributes };
  },
};

/**
 * Does with each of `entries`, by their names, what `entries.json` says it offers.
 *
 * @param wasm Where the entries without bytes have their module from.
 */
export async function told(offers, entries, wasm) {
  const parts = Object.entries(entries).map(async ([name, entry]) => {
    await entry.init?.(wasm?.());
    const results = offers[name].map(async (part) => [part, await WORK[part](entry)]);
    return [name, Object.fromEntries(await Promise.all(results))];
  });
  return JSON.stringify(Object.fromEntries(await Promise.all(parts)));
}
