/**
 * Every public type, written by hand for people.
 *
 * Words that a workflow file or a record uses stay in snake_case; everything else is camelCase.
 * A number with `Ms` (or `_ms`) in its name is milliseconds; fractions are allowed.
 *
 * @module
 */

// ---- Text and positions --------------------------------------------------------------------------

/** A place in a source text. */
export interface Position {
  /** Line, counted from 1. `\n`, `\r\n` and a lone `\r` each end one. */
  line: number;
  /** Column, counted from 1 in UTF-16 code units, as editors and JavaScript strings count. */
  column: number;
  /** Distance from the start of the text in UTF-16 code units: an index into the source string. */
  offset: number;
}

/** A stretch of source text. */
export interface Range {
  /** Its first character. */
  start: Position;
  /** The place just after its last character. */
  end: Position;
}

// ---- Errors --------------------------------------------------------------------------------------

/**
 * What a `StepRetryError` says is wrong.
 *
 * - `INVALID_ARGUMENT`: an argument of the wrong type or out of range
 * - `UNKNOWN_STEP`: the file has no step of that name
 * - `NOT_UTF8`: the bytes of a source are no UTF-8
 * - `SNAPSHOT_INVALID`, `SNAPSHOT_VERSION`: a snapshot that is damaged, or of another version
 * - `WRONG_STATE`: a call that does not fit what has happened so far
 * - `WASM_BLOCKED`: the host does not let WebAssembly be compiled; the message says what to change
 * - `INTERNAL`: a fault of ours; the next call starts afresh
 *
 * A policy that a file would not be allowed to hold has the file's own code, such as `INVALID_VALUE`.
 */
export type StepRetryErrorCode =
  | "INVALID_ARGUMENT"
  | "UNKNOWN_STEP"
  | "NOT_UTF8"
  | "SNAPSHOT_INVALID"
  | "SNAPSHOT_VERSION"
  | "WRONG_STATE"
  | "WASM_BLOCKED"
  | "INTERNAL"
  | (string & {});

// ---- Check ---------------------------------------------------------------------------------------

/** Options of {@link validate}. */
export interface ValidateOptions {
  /** Whether warnings make the file invalid too. Default `false`. */
  strict?: boolean | undefined;
  /**
   * Whether to go on after a YAML error and check the rest of the file, as an editor wants it.
   * Default `false`: a YAML error is then the only diagnostic.
   */
  recover?: boolean | undefined;
  /** How much is looked at. What goes beyond is told by a diagnostic whose code begins with `LIMIT_`. */
  limits?: ValidateLimits | undefined;
}

/** How much of a file is looked at; each a whole number, 1 or more. */
export interface ValidateLimits {
  /** The longest text, in bytes of UTF-8. Default 16777216. */
  bytes?: number | undefined;
  /** The deepest nesting of mappings and lists, at most 255. Default 255. */
  nesting?: number | undefined;
  /** How many steps are looked at. Default 100000. */
  steps?: number | undefined;
  /** How many entries may be reached through aliases and merges, each time they are. Default 1000000. */
  aliasEntries?: number | undefined;
  /** How many errors and warnings are told. Default 10000. */
  diagnostics?: number | undefined;
}

/**
 * How much a diagnostic weighs: an `error` refuses the file, a `warning` does so only under
 * `strict`, an `info` is advice beyond the reference and never counts.
 */
export type Severity = "error" | "warning" | "info";

/** One edit of a mending: replace `range` by `newText`. */
export interface TextEdit {
  /** What to replace; an empty range inserts. */
  range: Range;
  /** What to put there; an empty text deletes. */
  newText: string;
}

/** A mending that an editor can offer. */
export interface Fix {
  /** What it does, in the imperative. */
  title: string;
  /** Edits of the source as it was checked; they do not overlap. */
  edits: TextEdit[];
}

/** A second place that belongs to a diagnostic. */
export interface RelatedPlace {
  /** Where. */
  range: Range;
  /** What it has to do with it. */
  message: string;
}

/** What a {@link Diagnostic} and an {@link Advice} have in common. */
export interface Finding {
  /** A stable word for the rule, such as `INVALID_VALUE` or `UNKNOWN_RETRY_KEY`. */
  code: string;
  /** How much it weighs. */
  severity: Severity;
  /** One sentence for people. */
  message: string;
  /** The step it is about; absent when it is about the file as a whole. */
  step?: string;
  /** The key it is about, in the file's spelling. */
  key?: string;
  /** Keys and list indexes from the root of the file, or of the step, to the place. */
  path: (string | number)[];
  /** Name of the section of the documentation that explains the rule. */
  docs: string;
}

/** What a rule has to say about a place in a file. */
export interface Diagnostic extends Finding {
  /** The offending key or value itself. */
  range: Range;
  /** Other places that explain it, such as the first of two duplicates. */
  related?: RelatedPlace[];
  /** The known word that was probably meant. */
  suggestion?: string;
  /** Mendings, the likeliest first; empty when there is none. */
  fixes: Fix[];
}

/** What a rule has to say about a step's limits where there is no text to point at. */
export interface Advice extends Finding {
  /** The step it is about. */
  step: string;
}

/** One step of a checked file. */
export interface StepSummary {
  /** Its name in the file. */
  name: string;
  /** Its `execution`, or `null` where it has none that can be read. */
  execution: string | null;
  /** From the step's name to the end of its block. */
  range: Range;
  /** What it says about limits; absent where it says nothing or something that is refused. */
  limits?: StepLimits;
  /** What these limits will do; present where `limits` is. */
  plan?: Plan;
}

/** What a file says about itself. */
export interface WorkflowHeading {
  /** Its `id`, where that is a string. */
  id: string | null;
  /** Its `version`, where that is a number. */
  version: number | null;
  /** Its `description`, where that is a text. */
  description: string | null;
  /** The author's own keys at the top of the file (`x-…`), in file order. */
  extensionKeys: string[];
}

/** What {@link validate} found. */
export interface Report {
  /** Whether the file is accepted; under `strict`, whether it is also free of warnings. */
  valid: boolean;
  /** The loader's warnings in their order, then errors, then advice (`info`). */
  diagnostics: Diagnostic[];
  /** The closing lines as the command prints them: `Valid: …` or `Invalid workflow: …`. */
  summary: string;
  /** The file's heading, or `null` where the text is no mapping. */
  workflow: WorkflowHeading | null;
  /** The steps in file order, as far as they can be read. */
  steps: StepSummary[];
}

// ---- Limits, as a file writes them ---------------------------------------------------------------

/** How the wait between attempts grows: not at all, by the base each time, or doubling. */
export type Backoff = "fixed" | "linear" | "exponential";

/** The `retry` block of a step. Keys it does not know are ignored, and named in {@link Plan.advice}. */
export interface RetryBlock {
  /** How many times the step is tried, counting the first. Whole, at least 1. Default 1. */
  max_attempts?: number | undefined;
  /** How the wait grows. Default `fixed`. */
  backoff?: Backoff | undefined;
  /** The wait the growth starts from, in milliseconds; 0 or more. Default 0: no wait. */
  base_delay_ms?: number | undefined;
  /** The longest any one wait may be, in milliseconds; 0 or more. Default: no cap. */
  max_delay_ms?: number | undefined;
  /** Whether an attempt that ran too long is tried again. Needs `idempotent: true`. Default `false`. */
  on_timeout?: boolean | undefined;
  /**
   * The longest all attempts and waits may take together, in seconds. Whole, at least 1.
   * Default: computed from the schedule itself.
   */
  total_timeout_seconds?: number | undefined;
}

/**
 * What a step says about its limits, in the file's own words. A whole step of a file may be given:
 * its other keys are ignored.
 */
export interface StepLimits {
  /** The longest one attempt may run, in seconds. Whole, at least 1. Default 3600. */
  timeout_seconds?: number | undefined;
  /** Whether running the step twice, even at the same time, does no harm. Default `false`. */
  idempotent?: boolean | undefined;
  /** How often and when to try again. Absent: one attempt, and no total limit. */
  retry?: RetryBlock | undefined;
}

// ---- Plan ----------------------------------------------------------------------------------------

/**
 * How a wait is spread so that many callers do not come back together. `full`: anywhere from 0 to
 * the wait; `equal`: from half the wait to the wait; `decorrelated`: from the base to three times
 * the last wait. Never above `max_delay_ms`.
 */
export type Jitter = "none" | "full" | "equal" | "decorrelated";

/**
 * How a total limit works. `clip`: each attempt is cut to what is left of it. `gate`: it only
 * decides whether another attempt may start, and a running attempt is left alone.
 */
export type BudgetMode = "clip" | "gate";

/** Options that change what a step's limits mean, for planning and running alike. */
export interface LimitOptions {
  /** The step's name, for messages. Default `step`. */
  name?: string | undefined;
  /** How waits are spread. Default `none`. */
  jitter?: Jitter | undefined;
  /** How the total limit works. Default `clip`. */
  budget?: BudgetMode | undefined;
  /** A total limit in milliseconds, in place of the file's. 0 or more, fractions allowed. */
  budgetMs?: number | undefined;
}

/** Options of {@link plan}. */
export interface PlanOptions extends LimitOptions {
  /**
   * How many calls leave for one attempt, where something inside it tries again by itself: a number for
   * the step's client, or one for each layer by its name, as in `{ SDK: 4, proxy: 2 }`, the outermost first.
   * Each counts the first call; whole, at least 1. Default 1.
   */
  innerAttempts?: number | Readonly<Record<string, number>> | undefined;
  /** Percentiles of the totals to tell, each 0 to 100; at most 100 of them. Default: none. */
  percentiles?: readonly number[] | undefined;
  /** How long each attempt is taken to last, in ms, for the percentiles. Default: its limit. */
  assume?: number | undefined;
}

/** How percentiles were found: by formula, or from runs with fixed seeds. */
export type PercentileMethod = "exact" | "sampled";

/** Percentiles of a plan's totals. */
export interface TotalPercentiles {
  /** How they were found. */
  method: PercentileMethod;
  /** One entry for each percentile that was asked for, in that order. */
  values: TotalPercentile[];
}

/** One percentile of a plan's totals. */
export interface TotalPercentile {
  /** So many runs of a hundred stay within the times below; 0 to 100. */
  percentile: number;
  /** All waits as drawn, in ms, before any limit cuts them off. */
  totalWaitMs: number;
  /** When the step ends, in ms, if every attempt fails; `null` where an attempt has no limit and none is assumed. */
  endMs: number | null;
}

/** Where a total limit comes from: written down, made from the schedule, or there is none. */
export type BudgetSource = "declared" | "computed" | "none";

/** What a step's limits will do. */
export interface Plan {
  /** Attempts at most, counting the first. */
  maxAttempts: number;
  /**
   * How many of them the total limit lets start at all: when each fails at once, and every wait is as
   * short as jitter can make it.
   */
  reachableAttempts: number;
  /** The limit of one attempt in ms; `null` (no limit) only under `gate` without `timeout_seconds`. */
  attemptTimeoutMs: number | null;
  /** The limit of all attempts and waits together in ms, or `null` where there is none. */
  budgetMs: number | null;
  /** Where `budgetMs` comes from. */
  budgetSource: BudgetSource;
  /** All waits as scheduled, in ms, before any limit cuts them off. */
  totalWaitMs: number;
  /**
   * When the step ends, in ms, if every attempt fails at its last moment. `null` (no bound) only
   * under `gate` without `timeout_seconds`.
   */
  worstCaseMs: number | null;
  /**
   * The latest the step can end, in ms, whenever its attempts fail and however jitter falls. Above
   * `worstCaseMs` where a quicker failure, or with jitter a shorter wait, leaves the total limit room for one
   * attempt more. `null` as there.
   */
  latestEndMs: number | null;
  /** Calls at most: attempts times those of all layers in {@link PlanOptions.innerAttempts}. */
  maxCalls: number;
  /** Percentiles of the totals; present where {@link PlanOptions.percentiles} asks for some. */
  percentiles?: TotalPercentiles;
  /** What is accepted but will surprise. */
  advice: Advice[];
}

/** Options of {@link planRows}. */
export interface PlanRowsOptions extends LimitOptions {
  /** The first attempt to show, from 1. Default 1. */
  from?: number | undefined;
  /** How many rows to make at most. Whole, 0 to 100000. Default 100. */
  count?: number | undefined;
  /** How long each attempt is taken to last, in ms. Default: its limit. */
  assume?: number | undefined;
  /** Percentiles of each wait to tell, each 0 to 100; at most 100 of them. Default: none. */
  percentiles?: readonly number[] | undefined;
}

/** The band a wait falls into, in ms. Without jitter all three are the same. */
export interface WaitBand {
  /** The shortest it can be. */
  min: number;
  /** Its mean. */
  expected: number;
  /** The longest it can be. */
  max: number;
  /** The waits at the percentiles that were asked for, in that order; absent where none were. */
  percentiles?: number[];
  /** How they were found; present where `percentiles` is. */
  method?: PercentileMethod;
}

/** One attempt of a plan. */
export interface PlanRow {
  /** Its number, from 1. */
  attempt: number;
  /** The wait before it. */
  waitBeforeMs: WaitBand;
  /** When it starts, in ms from the start of attempt 1, with the longest waits. */
  startMs: number;
  /** Its limit in ms; `null` (no limit) only under `gate` without `timeout_seconds`. */
  timeoutMs: number | null;
  /** Its limit in ms where the total limit cuts it; absent where it has its whole timeout. */
  clippedToMs?: number;
  /** Whether the total limit lets it start. */
  reachable: boolean;
  /** Why it does not start; present where `reachable` is `false`. */
  reason?: string;
}

// ---- Fleet ---------------------------------------------------------------------------------------

/** Options of `simulateFleet`. */
export interface FleetOptions extends LimitOptions {
  /** How many workers make their first call at time 0. Whole, 1 to 1000000. */
  workers: number;
  /** How long the service is down from then on, in ms; 0 or more. */
  outageMs: number;
  /** How many calls a second it takes after that; 0 or more, fractions allowed. */
  capacityPerSecond: number;
  /** How long a call takes that fails or is refused, in ms; 0 or more. Default 0. */
  failMs?: number | undefined;
  /** How long a call takes that is served, in ms; 0 or more. Default 0. */
  serviceMs?: number | undefined;
  /** The length of the buckets in which calls and capacity are counted, in ms; 1 or more. Default 1000. */
  bucketMs?: number | undefined;
  /** What the workers' waits are drawn from. The same seed gives the same load. Default 0. */
  seed?: number | undefined;
  /** A stock of retries that all workers share, such as a `RetryBudget`. Its readings begin at 0. Default: none. */
  retryBudget?: RetryBudgetLike | undefined;
}

/** The load that a fleet makes; its arrays have a number for each bucket, from time 0 to the last call. */
export interface FleetLoad {
  /** The length of a bucket, in ms. */
  bucketMs: number;
  /** Calls that came. */
  calls: Float64Array;
  /** Calls that were served. Never above `capacity`. */
  served: Float64Array;
  /** Calls that came while the service was up but had no room. */
  refused: Float64Array;
  /** Calls that there was room for: whole ones, none during the outage. */
  capacity: Float64Array;
  /** All calls together. */
  attempts: number;
  /** How many workers succeeded. */
  succeeded: number;
  /** How many gave up, whatever made them. */
  gaveUp: number;
  /** The calls of the fullest bucket. */
  peak: number;
  /** When that bucket begins, in ms. */
  peakAtMs: number;
  /**
   * The most calls that come in one bucket while the service is up, as a multiple of what fits into a
   * whole one; `null` where nothing fits.
   */
  overload: number | null;
  /** When the last worker was done, one way or the other, in ms. */
  doneAtMs: number;
}

// ---- Simulate ------------------------------------------------------------------------------------

/** What a server's hint to wait longer does: wait so long, wait no longer than the ceiling, end the step, nothing. */
export type RetryAfterPolicy = "honor" | "clamp" | "fail" | "ignore";

/** Options on server hints and chance, for simulating and running alike. */
export interface DriveOptions extends LimitOptions {
  /** A number that makes jitter repeatable. Default: a new one for each run. */
  seed?: number | undefined;
  /** What a server's hint does. Default `honor`. */
  retryAfter?: RetryAfterPolicy | undefined;
  /**
   * The ceiling for a hint in ms: `clamp` shortens to it, `fail` ends the step above it.
   * Default: the step's `max_delay_ms`, else 60000.
   */
  retryAfterCapMs?: number | undefined;
}

/** Options of {@link simulate}. */
export interface SimulateOptions extends DriveOptions {
  /** How many ms late each wait ends, as real timers do. 0 or more. Default 0. */
  waitLatenessMs?: number | undefined;
  /** How many ms late each attempt's limit fires. 0 or more. Default 0. */
  attemptLatenessMs?: number | undefined;
}

/** What one attempt of a simulation does. */
export interface SimulatedOutcome {
  /** `hang` runs until it is stopped. */
  result: "ok" | "retryable" | "fatal" | "hang";
  /** How long it takes, in ms; 0 or more. Default 0. */
  ms?: number | undefined;
  /** The server's hint in ms that comes with a failure. */
  retryAfterMs?: number | undefined;
  /** The failure's code. Default `SERVICE_HTTP_5XX` for `retryable`, `ENGINE_HANDLER_FAILED` for `fatal`. */
  code?: string | undefined;
  /** The failure's message. */
  message?: string | undefined;
}

// ---- Results and records -------------------------------------------------------------------------

/** A failed attempt, as the machine sees it. */
export interface Failure {
  /** A stable word, such as `SERVICE_HTTP_5XX` or `NETWORK_UNREACHABLE`. */
  code: string;
  /** One sentence for people. */
  message: string;
  /** Whether another attempt can help. */
  retryable: boolean;
  /** What kind of failure; `ambiguous` is one after which the work may have been done all the same. */
  category?: FailureCategory | undefined;
  /** The server's hint, in ms from now. */
  retryAfterMs?: number | undefined;
}

/** What kind of failure it was. */
export type FailureCategory = "temporary" | "permanent" | "ambiguous" | "aborted";

/** What used up a step that gave up. */
export type ExhaustedBy = "attempts" | "total_timeout" | "attempt_lost" | "retry_after" | "retry_budget";

/** A failure, as a record keeps it. */
export interface RecordedError {
  /** See {@link Failure.code}. */
  code: string;
  /** See {@link Failure.message}. */
  message: string;
  /** See {@link Failure.retryable}. */
  retryable: boolean;
  /** See {@link Failure.category}. */
  category?: FailureCategory;
}

/** What became of one attempt. */
export interface AttemptRecord {
  /** Its number, from 1. */
  attempt: number;
  /** Attempts at most. */
  of: number;
  /** `skipped`: the handler aborted; `lost`: it began and its process died before it could report. */
  status: "success" | "error" | "skipped" | "lost";
  /** When it began, in ms from the start of attempt 1. */
  started_at_ms: number;
  /** How long it ran, in ms. */
  duration_ms: number;
  /** How it failed. */
  error?: RecordedError;
  /** The limit it really had, in seconds; `null` where it had none. */
  effective_timeout_seconds: number | null;
  /** The limit it really had in ms, where the total limit cut it. */
  clipped_to_ms?: number;
  /** The wait before it, in ms, as it was asked for. */
  wait_before_ms: number;
  /** How much longer the wait took than asked for, in ms; absent where it did not. */
  late_ms?: number;
  /** The cost its handler reported, in the caller's own unit. */
  cost?: number;
  /** SHA-256 of its output's JSON in hex; only with the option `hash`. */
  evidence_hash?: string;
  /** What used the step up; only on the last attempt of a step that gave up. */
  exhausted_by?: ExhaustedBy;
}

/** What became of a step. */
export interface StepRecord {
  /** Its name. */
  step: string;
  /** The caller's own name for the job, where one was given. */
  task_id?: string;
  /** How it ended. */
  outcome: "succeeded" | "failed" | "aborted";
  /** Each attempt, in order. */
  attempts: AttemptRecord[];
  /** How many of the oldest attempts `recordLimit` left out; absent where none. */
  attempts_omitted?: number;
  /** What used it up, where it gave up. */
  exhausted_by?: ExhaustedBy;
  /** From the start of attempt 1 to the end, in ms. */
  elapsed_ms: number;
  /** How much of that was waiting, in ms. */
  waited_ms: number;
  /** The sum of all reported costs; `"unknown"` where an attempt reported none. */
  cost: number | "unknown";
}

/** A job as the one line that is kept of it; see `jobRecord`. */
export interface JobRecord {
  /** The caller's own name for the job; `null` where none was given. */
  task_id: string | null;
  /** The step's name. */
  step: string;
  /** How many attempts were made. */
  attempts: number;
  /** How it ended. */
  outcome: StepRecord["outcome"];
  /** The last failure, classified; `null` where the last attempt worked, or there was none. */
  failure: RecordedError | null;
  /** Which limit allowed no further attempt; `null` where none did. */
  exhausted_by: ExhaustedBy | null;
  /** What it cost, in the caller's own unit; `"unknown"` where an attempt reported nothing. */
  cost: number | "unknown";
}

/** The error of a step that did not succeed. Recognise it with {@link isStepError}, not by `instanceof`. */
export interface StepErrorLike extends Error {
  /** `STEP_TIMEOUT`, `STEP_RETRY_EXHAUSTED`, `STEP_ABORTED`, `STEP_ATTEMPT_LOST`, or the failure's own. */
  readonly code: string;
  /** The step's name. */
  readonly step: string;
  /** Whether trying the whole step again can help. */
  readonly retryable: boolean;
  /** How many attempts were made. */
  readonly attempts: number;
  /** What used it up, where it gave up. */
  readonly exhausted_by?: ExhaustedBy;
  /** What the last attempt threw, untouched; on an abort, the signal's reason. */
  readonly cause?: unknown;
  /** The whole record. */
  readonly record: StepRecord;
}

/** How a step ended. */
export interface StepResult<T = unknown> {
  /** Whether it succeeded. */
  ok: boolean;
  /** What its last attempt returned, where it succeeded. */
  value?: T;
  /** Why it did not. */
  error?: StepErrorLike;
  /** The whole record. */
  record: StepRecord;
}

// ---- Run -----------------------------------------------------------------------------------------

/** The least an abort signal must offer; the platform's own is one. */
export interface SignalLike {
  /** Whether it has fired. */
  readonly aborted: boolean;
  /** Why it fired. */
  readonly reason?: unknown;
  /** Registers `listener` for the moment it fires. */
  addEventListener(type: "abort", listener: () => void): void;
  /** Takes `listener` away again. */
  removeEventListener(type: "abort", listener: () => void): void;
}

/** The platform's `AbortSignal` where its types are loaded, else {@link SignalLike}. */
export type AttemptSignal = typeof globalThis extends { AbortSignal: { prototype: infer Platform } }
  ? Platform
  : SignalLike;

/** The least a set of HTTP headers must offer: the platform's `Headers`, or a plain object. */
export type HeadersLike =
  | {
      /** A header's value by its name in any case, or `null` where there is none. */
      get(name: string): string | null;
    }
  | { readonly [name: string]: string | number | readonly string[] | undefined };

/** Time, as a run sees it. Give your own to test without waiting. */
export interface Clock {
  /** A reading in ms that never goes back; only differences count. */
  now(): number;
  /** Settles after `ms` (0 to 2^31 − 1); when `signal` fires earlier, at once, in whichever way. */
  sleep(ms: number, signal: AttemptSignal): PromiseLike<void>;
}

/** Time for tests, which passes only when it is told to; see `virtualClock`. */
export interface VirtualClock extends Clock {
  /** The reading in ms; 0 at first. */
  now(): number;
  /** The wall clock in ms since 1970: 0 at first, or what `wallMs` said. */
  wallNow(): number;
  /** Sleeps for `ms`; for handlers too. Rejects with the signal's reason where that fires. */
  sleep(ms: number, signal?: SignalLike): Promise<void>;
  /** Lets `ms` pass: everybody who is due wakes in turn, and does what there is to do. */
  advance(ms: number): Promise<void>;
  /**
   * Lets time pass until `work` has settled, and gives its result: whenever all are asleep, to the next
   * who is due. What waits for something real, such as a request, takes no time of this clock's and is
   * overtaken by it. Rejects with `WRONG_STATE` where nobody is asleep and `work` goes on all the same.
   */
  run<T>(work: PromiseLike<T>): Promise<T>;
}

/** What an attempt is told. */
export interface AttemptContext {
  /** Its number, from 1. */
  readonly attempt: number;
  /** Attempts at most. */
  readonly maxAttempts: number;
  /** Its limit in ms; `null` (no limit) only under `gate` without `timeout_seconds`. */
  readonly timeoutMs: number | null;
  /** Its limit in ms, where the total limit cuts it. */
  readonly clippedToMs?: number;
  /** What is left of the total limit when the attempt starts, in ms; `null` where there is no total limit. */
  readonly remainingMs: number | null;
  /** Fires when the attempt reaches its limit or the caller gives up. One of its own for each attempt. */
  readonly signal: AttemptSignal;
  /** Adds `cost` to the attempt's cost; 0 or more, in a unit of your own. */
  reportCost(cost: number): void;
  /** Ends the step at once as `aborted`, by throwing. */
  abort(message: string): never;
}

/** Something that happened in a run, in the order it happened; see {@link RunOptions.onEvent}. */
export type RunEvent =
  | ({
      /** An attempt begins. */
      type: "attempt";
      /** How long it may take, in ms; `null` where nothing limits it. */
      timeoutMs: number | null;
      /** The same limit, where the total limit has cut it. */
      clippedToMs?: number;
    } & RunEventFrame)
  | ({
      /** An attempt failed, or ran into its limit. */
      type: "failed";
      /** What went wrong. */
      error: RecordedError;
      /** How long it took, in ms. */
      durationMs: number;
    } & RunEventFrame)
  | ({
      /** The wait before the next attempt begins. */
      type: "waiting";
      /** How long it is, in ms. */
      ms: number;
      /** What the server asked for, in ms, where it did. */
      retryAfterMs?: number;
    } & RunEventFrame)
  | ({
      /** The step succeeded. */
      type: "succeeded";
      /** How long its last attempt took, in ms. */
      durationMs: number;
    } & RunEventFrame)
  | ({
      /** The step failed for good. */
      type: "gaveUp";
      /** The code of its error. */
      code: string;
      /** The message of its error. */
      message: string;
      /** What ran out, where something did. */
      exhaustedBy?: ExhaustedBy;
    } & RunEventFrame)
  | ({
      /** The caller or the handler ended the step. */
      type: "aborted";
      /** Why. */
      message: string;
    } & RunEventFrame);

/** What every {@link RunEvent} carries. */
export interface RunEventFrame {
  /** Which run it is, counted in this process: the lines of runs that go on at once can be told apart. */
  run: number;
  /** The step's name. */
  step: string;
  /** The caller's own name for the job, where one was given. */
  taskId?: string;
  /** The attempt it is about, from 1; for `waiting`, the one that comes next. */
  attempt: number;
  /** Attempts at most. */
  maxAttempts: number;
  /** When it happened, in ms from the start of attempt 1. */
  atMs: number;
}

/** What came of an attempt after it had been stopped. */
export interface LateResult<T = unknown> {
  /** The attempt, from 1. */
  attempt: number;
  /** Whether it came to a good end. */
  ok: boolean;
  /** What it returned, where it did. */
  value?: T;
  /** What it threw, where it did, untouched. */
  error?: unknown;
}

/**
 * A stock of retries that several steps share; see {@link RunOptions.retryBudget}. Its readings are those of
 * the run's clock.
 */
export interface RetryBudgetLike {
  /**
   * Takes one retry. `false`: there is none, and the step gives up. Asked before the wait, so that
   * nobody waits for nothing; what was taken is spent even where the run is aborted in that wait.
   */
  take(nowMs: number): boolean;
  /** A step has succeeded. */
  succeeded(nowMs: number): void;
}

/** Options of a `RetryBudget`. */
export interface RetryBudgetOptions {
  /** How long a success and a retry count, in ms; 1000 to 60000. Default 10000. */
  ttlMs?: number | undefined;
  /** How many retries each success allows; 0 to 1000. Default 0.2: one for five. */
  retryRatio?: number | undefined;
  /** Retries a second that are allowed whatever succeeds. 0, or enough for one within `ttlMs`. Default 10. */
  minPerSecond?: number | undefined;
}

/** A run as the sequence of its events; see `runEvents`. */
export interface RunEvents<T = unknown> extends AsyncIterable<RunEvent> {
  /** How the step ended. Asking for it begins the run, if nothing has yet. */
  readonly result: Promise<StepResult<T>>;
}

/** The part of OpenTelemetry's `Span` that is used. */
export interface SpanLike {
  /** Says something of the whole span. */
  setAttribute(key: string, value: string | number): unknown;
  /** Says whether it ended well; `code` 2 is an error. */
  setStatus(status: { code: number; message?: string }): unknown;
  /** Says what happened on the way. */
  addEvent(name: string, attributes: Record<string, string | number>): unknown;
  /** Ends it now. */
  end(): void;
}

/** The part of OpenTelemetry's `Tracer` that is used. */
export interface TracerLike<Context = unknown> {
  /** Starts a span, under the one that `context` holds. */
  startSpan(name: string, options: { attributes: Record<string, string | number> }, context?: Context): SpanLike;
}

/** The part of `@opentelemetry/api` that makes one span the parent of others. */
export interface OtelApi<Context = unknown> {
  /** Where contexts come from. */
  readonly context: {
    /** The context of whoever calls. */
    active(): Context;
  };
  /** What binds spans to contexts. */
  readonly trace: {
    /** A context in which `span` is the parent of new ones. */
    setSpan(context: Context, span: SpanLike): Context;
  };
}

/** Options of {@link runStep}. */
export interface RunOptions<T = unknown> extends DriveOptions {
  /** Your own name for the job, kept in the record and in events. */
  taskId?: string | undefined;
  /** Ends the step at once when it fires, in a wait or in an attempt. */
  signal?: SignalLike | undefined;
  /** Where time comes from. Default: the platform's monotonic clock and timers. */
  clock?: Clock | undefined;
  /** Makes a failure of what an attempt threw. `undefined` leaves it to the default rules. */
  classify?: ((thrown: unknown) => Failure | undefined) | undefined;
  /** A stock of retries shared with other steps. */
  retryBudget?: RetryBudgetLike | undefined;
  /** Whether the record keeps a SHA-256 of each output's JSON. Default `false`. */
  hash?: boolean | undefined;
  /** How many attempts the record keeps, the newest. Whole, at least 1. Default: all. */
  recordLimit?: number | undefined;
  /** Called for each event. What it throws changes nothing. */
  onEvent?: ((event: RunEvent) => void) | undefined;
  /** Called when an attempt that was stopped comes to an end all the same. What it throws changes nothing. */
  onLateResult?: ((late: LateResult<T>) => void) | undefined;
  /** Whether to reject instead of resolving with `ok: false`. Default `false`. */
  throwOnFailure?: boolean | undefined;
  /** Whether the run's timers let a Node process end. Default `false`. */
  unref?: boolean | undefined;
}

/** What `fetch` can be told of a request: the platform's own `RequestInit` where its types are loaded. */
export type FetchInit = typeof globalThis extends { Request: new (request: never, init?: infer Init) => object }
  ? Exclude<Init, undefined>
  : object;

/** What `fetch` takes as a request: an absolute URL (in a page also a relative one), or a `Request`. */
export type FetchRequest = string | { readonly href: string } | { readonly url: string; readonly method: string };

/** The platform's `Response` where its types are loaded, else the least that is used of it. */
export type FetchResponse = typeof globalThis extends { Response: { prototype: infer Platform } }
  ? Platform
  : ResponseLike;

/** Options of `fetchAttempt`. */
export interface FetchAttemptOptions {
  /**
   * Whether the whole body of a good answer is read within the attempt, so that a connection that breaks
   * in it, or a body that takes too long, fails the attempt. Default `false`: the attempt ends with the headers.
   */
  readBody?: boolean | undefined;
  /** Whether the body of an answer that is a failure is kept readable, on the error's `response`. Default `false`. */
  keepBody?: boolean | undefined;
  /** What sends the request. Default: the platform's `fetch`. */
  fetch?: ((request: never, init: never) => PromiseLike<FetchResponse>) | undefined;
  /** The wall clock in ms since 1970, for hints that name a moment. Default `Date.now`. */
  wallNow?: (() => number) | undefined;
}

/** What a {@link StepRun} wants done next. */
export type Decision<T = unknown> =
  | {
      /** Call `begin`, then run this attempt. */
      do: "attempt";
      /** Its number, from 1. */
      attempt: number;
      /** Its limit in ms; `null` (no limit) only under `gate` without `timeout_seconds`. */
      timeoutMs: number | null;
      /** Its limit in ms, where the total limit cuts it. */
      clippedToMs?: number;
    }
  | {
      /** Nothing may be done yet. */
      do: "wait";
      /** How long from the reading that was given, in ms. */
      ms: number;
      /** The reading at which the wait is over. */
      untilMs: number;
    }
  | {
      /** An attempt is running. */
      do: "running";
      /** Its number, from 1. */
      attempt: number;
      /** The reading at which its limit is reached; `null` where it has none. */
      untilMs: number | null;
    }
  | {
      /** The step has ended. */
      do: "done";
      /** How. */
      result: StepResult<T>;
    };

/** Options of a {@link StepRun}. */
export interface StepRunOptions extends DriveOptions {
  /** Your own name for the job, kept in the record. */
  taskId?: string | undefined;
  /** Whether the record keeps a SHA-256 of each output's JSON. Default `false`. */
  hash?: boolean | undefined;
  /** How many attempts the record keeps, the newest. Whole, at least 1. Default: all. */
  recordLimit?: number | undefined;
}

/** The platform's `Disposable` where its types are loaded, else nothing. */
export type PlatformDisposable = SymbolConstructor extends { readonly dispose: infer Dispose extends symbol }
  ? Record<Dispose, () => void>
  : object;

/** A value that JSON can hold. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The state of a {@link StepRun}: plain JSON, checked field by field on its way back in. */
export interface Snapshot {
  /** The version of the layout. One that is not known is refused with `SNAPSHOT_VERSION`. */
  version: number;
  /** The rest is the machine's own. */
  [key: string]: Json;
}

/** The article's four numbers, as `fromBounded` takes them. */
export interface BoundedPolicy {
  /** Calls at most, counting the first. Whole, at least 1. Default 3. */
  max_attempts?: number | undefined;
  /** The time after which no further call starts, in seconds. Above 0. Default 10. */
  max_elapsed?: number | undefined;
  /** The wait after the first failure, in seconds; it doubles. 0 or more. Default 0.5. */
  base_delay?: number | undefined;
  /** The longest any one wait may be, in seconds. 0 or more. Default 2. */
  delay_cap?: number | undefined;
}

// ---- The package itself --------------------------------------------------------------------------

/** Which build of the package this is. */
export interface Version {
  /** The package's version. */
  version: string;
  /** The git commit it was built from, or `null` where that is not known. */
  commit: string | null;
}

/** The platform's `WebAssembly.Module` where its types are loaded, else any object. */
export type WasmModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Platform } } }
  ? Platform
  : object;

/** The least a fetched response must offer; the platform's `Response` does. */
export interface ResponseLike {
  /** Whether it was found. */
  readonly ok: boolean;
  /** The HTTP status. */
  readonly status: number;
  /** Its body. */
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** Where `init` gets the bytes of `step-retry/step_retry.wasm`: themselves, a module made from them, or a response. */
export type WasmSource = ArrayBuffer | ArrayBufferView | WasmModule | ResponseLike;
