/**
 * What the page and the element say: every English text that is seen stands here, those of the page's own
 * markup too, which are filled in when it is built.
 *
 * @module
 */

import { count } from "../draw/numbers.js";
import type { ExhaustedBy, Severity } from "../types.js";

/** `1 call`, `2 calls`. */
export function counted(value: number, noun: string, many = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : many}`;
}

/** The gravity of a problem, the gravest first. */
export const SEVERITIES: Record<Severity, string> = { error: "Error", warning: "Warning", info: "Advice" };

/** What is wrong with a file, in numbers. */
export function invalid(errors: number, warnings: number, line: number): string {
  const place = `in line\u00a0${count(line)}`;
  const where = errors === 1 ? ` ${place}` : `, the first ${place}`;
  return `Invalid: ${counted(errors, "error")}${where}${warnings > 0 ? `; ${counted(warnings, "warning")}` : ""}.`;
}

/** How many problems are not listed. */
export function unlisted(problems: number): string {
  return `and ${count(problems)} more`;
}

/** The plan of a step. */
export const PLAN = {
  nothing: "There is no step to plan.",
  unread: (step: string) => `What ${step} says about its limits cannot be read; the problems say why.`,
  none: (step: string) => `${step} is tried once; there is nothing to plan.`,
  past: "The plan as it was before the problem",
  picture: (step: string) => `Timeline of the attempts of ${step}; the table below has the same in numbers`,
  caption: (step: string) => `Attempts of ${step}, each running to its limit`,
  captionAssumed: (step: string, time: string) => `Attempts of ${step}, each taking ${time}`,
  more: (rest: number) => `and ${counted(rest, "attempt")} more`,
  scale: "Scale",
  scales: [
    ["linear", "linear"],
    ["log", "logarithmic"],
  ],
  jitter: "Jitter",
  jitters: [
    ["none", "none"],
    ["full", "full"],
    ["equal", "equal"],
    ["decorrelated", "decorrelated"],
  ],
  assume: "An attempt takes",
  assumeHint: "its limit",
  inner: "Attempts of the client inside",
  worst: "Worst case",
  worstEach: "if every attempt runs to its limit",
  unbounded: "no bound",
  limit: "Total limit",
  noLimit: "none",
  declared: "as declared",
  computed: "made from the schedule",
  calls: "Calls at most",
  callsCut: "there is no time for more",
  callsFrom: (attempts: number, inner: number) => `${counted(attempts, "attempt")} × ${count(inner)} inside`,
  waits: "Waiting",
  waitsHint: "all waits together",
} as const;

/** A run, simulated or real. */
export const RUN = {
  picture: (step: string) => `What became of the attempts of ${step}; the table below has the same in words`,
  caption: "What became of each attempt",
  heads: ["attempt", "starts at", "took", "what became of it"],
  marks: { ok: "✓", failed: "✕", timeout: "!", aborted: "–", running: "" },
  ok: "works",
  failed: "fails",
  timeout: "stopped at its limit",
  aborted: "aborted",
  running: "running",
  clipped: (ms: string) => `cut to ${ms} by the total limit`,
} as const;

/** Why a step gave up. */
export const EXHAUSTED: Record<ExhaustedBy, string> = {
  attempts: "all attempts are used up",
  total_timeout: "the total limit is reached",
  attempt_lost: "an attempt was lost",
  retry_after: "the server asks for too long a wait",
  retry_budget: "the shared stock of retries is empty",
};

/** The settings of a step. */
export const FORM = {
  title: (step: string) => `Limits of ${step}`,
  retry: "Try again when an attempt fails",
  absent: (fallback: string | undefined) => (fallback === undefined ? "not set" : `not set: ${fallback}`),
  clear: (key: string) => `Clear ${key}`,
  slider: (key: string) => `${key}, slider`,
  elsewhere: "This is written in a way that only the text itself can change, such as an alias or braces over lines.",
  needsRetry: "Needs a retry block.",
  needsIdempotent: "Needs idempotent: true, since the attempt that ran too long may still be at work.",
  finalizer: "A finalizer runs once.",
  unread: (kind: string) => `Nothing reads it on ${kind} steps.`,
  none: "There is no step to set anything of.",
} as const;

/** Trying a run out. */
export const REHEARSE = {
  script: "What happens in each attempt",
  attempt: (number: number) => `Attempt ${number}`,
  and: (number: number) => `Attempt ${number} and all after it`,
  result: "What happens",
  results: [
    ["ok", "works"],
    ["retryable", "fails"],
    ["fatal", "fails for good"],
    ["hang", "hangs"],
  ],
  takes: "after",
  hint: "server says wait",
  presets: "Begin with",
  presetList: [
    ["recovers", "fails twice, then works"],
    ["down", "always fails"],
    ["hangs", "hangs"],
    ["busy", "server asks to wait 30 s"],
    ["fatal", "fails for good"],
  ],
  add: "Add an attempt",
  remove: "Remove the last",
  run: "Run it for real",
  runHint:
    "The same run on this browser's own timers, by runStep. Runs that share a stock take their retries from it; one that finds it empty gives up.",
  start: (speed: number) => `Run ×${speed}`,
  pause: "Pause",
  resume: "Go on",
  abort: "Abort",
  abortReason: "the reader aborted it",
  serviceFailed: "the service failed",
  handlerFailed: "the handler failed",
  record: "The record",
  succeeded: (attempts: string, time: string) => `Works after ${attempts}, ${time} in all.`,
  failed: (attempts: string, time: string, why: string) => `Gives up after ${attempts}, ${time} in all${why}.`,
  aborted: (time: string) => `Aborted after ${time}.`,
  simulated: "What would happen",
  running: "Running",
  ran: "What happened",
  events: {
    attempt: (number: number) => `Attempt ${number} runs.`,
    failed: (number: number, code: string) => `Attempt ${number} failed: ${code}.`,
    waiting: (time: string, number: number) => `Waits ${time} before attempt ${number}.`,
  },
} as const;

/** The stock of retries that runs share. */
export const STOCK = {
  size: "Shared stock",
  unit: "retries/min",
  none: "no end",
  left: (retries: number) => `${counted(retries, "retry", "retries")} left for the next runs.`,
} as const;

/** The page around all of it. */
export const PAGE = {
  file: "Workflow file",
  tabs: { plan: "Plan", form: "Settings", rehearse: "What if", herd: "Herd", move: "Move" },
  broken: (why: string) => `The page cannot do its work here: ${why}`,
  noEditor: "The editor could not be fetched; the plain text field does the same.",
  notFetched: "This part could not be fetched. Loading the page again may help.",
  copied: "Copied.",
  copyFailed: "The browser does not let this page copy.",
  resetDone: "This is the example again; your text can be had back by undoing.",
  badLink: "The link is damaged: it holds no file. The text is what it was before.",
  linkTooLong: "The file is too long for a link. Download it instead.",
  tooLong: (megabytes: number) => `That file is ${count(megabytes)} MB long; 5 MB is the most that is opened here.`,
  notText: "That file is no text in UTF-8.",
  unreadable: "That file could not be read.",
  folder: "That is a folder; a file can be opened.",
  several: "One file can be opened at a time.",
  openInPlayground: "Open it in the playground",
  opened: (name: string) => `${name} is open.`,
  openedMixed: (name: string) =>
    `${name} is open. Its lines ended in several ways; now they all end as the first does.`,
} as const;

/** The markup of the page and of its page for frames. */
export const MARKUP = {
  title: "step-retry playground",
  framedTitle: "step-retry playground, embedded",
  description: "See what is wrong with a workflow file, and what its retries will do, while you type.",
  name: "step-retry",
  purpose: "Write a workflow file; see what is wrong with it and what its retries will do.",
  example: "Example",
  ownText: "your own text",
  open: "Open a file",
  download: "Download",
  copyLink: "Copy link",
  copyMarkdown: "Copy as Markdown",
  reset: "Start over",
  noScript: "Everything here is computed in the browser, so the page needs JavaScript.",
  file: "Workflow file",
  plain: "Plain text field",
  problems: "Problems",
  mendAll: "Mend all",
  plan: "What the retries will do",
  step: "Step",
} as const;

/** The element. */
export const EMBEDDED = {
  file: "Workflow file",
  step: "Step",
} as const;

/** A policy on another engine. */
export const MOVE = {
  to: "Move to",
  targets: {
    temporal: "Temporal",
    "step-functions": "AWS Step Functions",
    restate: "Restate",
    bullmq: "BullMQ",
    cloudflare: "Cloudflare Workflows",
    conductor: "Conductor",
    "azure-durable": "Azure Durable, Dapr",
    inngest: "Inngest",
    "trigger-dev": "Trigger.dev",
    hatchet: "Hatchet",
    "pg-boss": "pg-boss",
    "graphile-worker": "graphile-worker",
    argo: "Argo Workflows",
    "github-actions": "GitHub Actions",
    "google-workflows": "Google Workflows",
    dbos: "DBOS",
  },
  verdicts: {
    exact: "The same there.",
    "exact-with-code": "The same there, with the code below.",
    approximate: "Not quite the same there.",
    refused: "It cannot be moved as it is.",
  },
  text: (target: string) => `The settings for ${target}`,
  copy: "Copy the settings",
  losses: "What is different",
  waits: "The waits, here and there",
  heads: ["wait", "here", "there"],
  upTo: (from: string, to: string) => `${from} to ${to}`,
} as const;

/** A policy from elsewhere. */
export const BRING = {
  title: "Bring a policy from another engine or library",
  from: "Its origin",
  sources: {
    temporal: "Temporal",
    "step-functions": "AWS Step Functions",
    "p-retry": "p-retry",
    cockatiel: "cockatiel",
    "async-retry": "async-retry",
    polly: "Polly",
    tenacity: "tenacity",
  },
  settings: "Its settings",
  hint: "As JSON, or as they stand in code. Nothing of it is run.",
  unread: (place: string) => `This cannot be read as settings: ${place}`,
  means: "Here that is",
  notes: "To know about it",
  once: "One attempt, without a limit of its own.",
  put: (step: string) => `Put it into ${step}`,
  noStep: "There is no step to put it into.",
  done: (step: string) => `${step} has it now; undoing takes it back.`,
} as const;

/** Many workers that fail together. */
export const HERD = {
  workers: "Workers",
  outage: "Service down for",
  capacity: "Then it takes",
  perSecond: "calls/s",
  shared: "Shared retries",
  sharedUnit: "a second",
  sharedHint: "no end",
  jitter: "Jitter, to compare",
  jitters: [
    ["full", "full"],
    ["equal", "equal"],
    ["decorrelated", "decorrelated"],
  ],
  without: "Without jitter",
  with: (jitter: string) => `With ${jitter} jitter`,
  withShared: (jitter: string, perSecond: string) =>
    `With ${jitter} jitter and a shared stock of ${perSecond} retries a second`,
  sharedLegend:
    "The stock: so many retries a second, counted over 10 s, and one for every five calls that work. A worker that finds it empty gives up at once.",
  picture: (name: string, peak: string) =>
    `${name}: calls over time, at most ${peak} in one bucket once the service is up`,
  legend: (span: string) =>
    `Bars: calls, the stronger part served. Dashed: what the service can take. Worst rush: the most at once after the outage. At once means within ${span}: the service takes what fits into each such span, and refuses the rest.`,
  caption: "What becomes of the workers",
  heads: ["", "all done after", "calls", "gave up", "worst rush"],
  overload: (factor: string) => `${factor} × capacity`,
  none: "none",
  tooMany: "That many calls cannot be drawn here; fewer workers or attempts can.",
} as const;
