/**
 * A run that is tried out: simulated at once while its script is changed, or run for real by `runStep`.
 *
 * @module
 */

import {
  isStepRetryError,
  type RunEvent,
  runStep,
  type SimulatedOutcome,
  type StepRecord,
  type StepResult,
  simulate,
} from "step-retry";
import { duration, unbroken } from "../../pkg/src/draw/duration.js";
import type { Timeline } from "../../pkg/src/draw/timeline.js";
import { button, html, say } from "../../pkg/src/element/dom.js";
import { picture, table } from "../../pkg/src/element/parts.js";
import type { PlannedStep } from "../../pkg/src/element/plan-view.js";
import { recordCells, recordTimeline } from "../../pkg/src/element/record-timeline.js";
import { counted, EXHAUSTED, PLAN, REHEARSE, RUN } from "../../pkg/src/element/texts.js";
import { ScaledClock } from "./scaled-clock.js";
import { Script } from "./script.js";
import { Stock } from "./stock.js";

const SPEEDS = [1, 10, 100];

/** Attempts whose bars are drawn; a thousand bars are no picture. */
const MOST_BARS = 40;

/** The same chances each time: a change of the script is all that changes the picture. */
const SEED = 1;

/** A run that goes on. */
interface Going {
  clock: ScaledClock;
  /** The clock's reading when it began. */
  fromMs: number;
  abort: AbortController;
  lanes: Timeline["lanes"];
}

/** The script, what comes of it, and the buttons that run it. */
export class Rehearsal {
  readonly element: HTMLElement;
  readonly #script = new Script(() => this.#simulate());
  readonly #stock = new Stock(() => this.#simulate());
  readonly #title = html("h3", {}, REHEARSE.simulated);
  readonly #sentence = html("p", { class: "verdict", role: "status" });
  readonly #picture = html("div", { class: "run-picture" });
  readonly #error = html("p", { class: "final-error" });
  readonly #table = html("div");
  readonly #record = html("pre", { tabindex: "0", role: "region", "aria-label": REHEARSE.record });
  readonly #starts: HTMLButtonElement[];
  readonly #pause = button(REHEARSE.pause, () => this.#togglePause());
  readonly #abort = button(REHEARSE.abort, () => this.#going?.abort.abort(new Error(REHEARSE.abortReason)));
  /** The button that began the last run. */
  #begun: HTMLButtonElement | undefined;
  #step: PlannedStep | undefined;
  #going: Going | undefined;
  /** How the last run for real ended, until something is changed that it was about. */
  #ran: StepResult<unknown> | undefined;

  constructor() {
    this.#starts = SPEEDS.map((speed) => button(REHEARSE.start(speed), () => this.#run(speed), { class: "main" }));
    const run = html(
      "div",
      { class: "buttons", role: "group", "aria-label": REHEARSE.run },
      ...this.#starts,
      this.#pause,
      this.#abort,
    );
    const details = html("details", {}, html("summary", {}, REHEARSE.record), this.#record);
    const shown = html(
      "section",
      { class: "run" },
      this.#title,
      this.#sentence,
      this.#error,
      this.#picture,
      run,
      this.#stock.element,
      html("p", { class: "quiet" }, REHEARSE.runHint),
      this.#table,
      details,
    );
    this.element = html("div", { class: "rehearsal" }, this.#script.element, shown);
    this.#offer();
    new ResizeObserver(() => this.#fit()).observe(this.#picture);
  }

  /** Shows `step`; a run of another one is left. */
  show(step: PlannedStep | undefined): void {
    const same = JSON.stringify(step?.limits) === JSON.stringify(this.#step?.limits) && step?.name === this.#step?.name;
    this.#step = step;
    if (same && (this.#going ?? this.#ran) !== undefined) return;
    this.#going?.abort.abort();
    this.#going = this.#ran = undefined;
    this.#offer();
    this.#simulate();
  }

  /** Draws what is shown anew, for a place of another width. */
  #fit(): void {
    if (this.#picture.clientWidth === 0) return;
    if (this.#step !== undefined && this.#ran !== undefined) this.#showResult(this.#step, this.#ran);
    else this.#simulate();
  }

  #simulate(): void {
    const step = this.#step;
    this.element.hidden = step === undefined;
    if (step === undefined || this.#going !== undefined || this.#picture.clientWidth === 0) return;
    this.#ran = undefined;
    this.#title.textContent = REHEARSE.simulated;
    try {
      this.#showResult(step, simulate(step.limits, [...this.#script.outcomes], { name: step.name, seed: SEED }));
    } catch (thrown) {
      if (!isStepRetryError(thrown)) throw thrown;
      say(this.#sentence, thrown.message);
      say(this.#error, "");
      this.#record.textContent = "";
      for (const part of [this.#picture, this.#table]) part.replaceChildren();
    }
  }

  #showResult({ name, plan }: PlannedStep, result: StepResult<unknown>): void {
    const record: StepRecord = result.record;
    const shown = { ...record, attempts: record.attempts.slice(0, MOST_BARS) };
    say(this.#sentence, unbroken(sentenceOf(record)));
    say(this.#error, result.error?.message ?? "");
    this.#drawPicture(recordTimeline(shown, plan), name);
    const hidden = record.attempts.length + (record.attempts_omitted ?? 0) - shown.attempts.length;
    this.#table.replaceChildren(
      table(RUN.caption, RUN.heads, recordCells(shown)),
      ...(hidden > 0 ? [html("p", { class: "quiet" }, PLAN.more(hidden))] : []),
    );
    this.#record.textContent = JSON.stringify(record, null, 2);
  }

  #drawPicture(timeline: Timeline, name: string): void {
    const made = picture(timeline, this.#picture.clientWidth, RUN.picture(name), "linear");
    for (const [index, bar] of made.querySelectorAll("rect.attempt").entries()) {
      bar.addEventListener("click", () => this.#script.focus(index + 1));
    }
    this.#picture.replaceChildren(made);
  }

  async #run(speed: number): Promise<void> {
    const step = this.#step;
    if (step === undefined || this.#going !== undefined) return;
    const fromMs = this.#stock.nowMs;
    const going: Going = { clock: new ScaledClock(speed, fromMs), fromMs, abort: new AbortController(), lanes: [] };
    this.#going = going;
    this.#ran = undefined;
    this.#title.textContent = REHEARSE.running;
    this.#offer();
    this.#table.replaceChildren();
    say(this.#error, "");
    requestAnimationFrame(() => this.#follow(going, step));
    const outcomes = this.#script.outcomes;
    const result = await runStep(
      step.limits,
      ({ attempt, signal }) => play(outcomes[Math.min(attempt, outcomes.length) - 1], going.clock, signal),
      {
        name: step.name,
        clock: going.clock,
        signal: going.abort.signal,
        retryBudget: this.#stock.budget,
        classify: (thrown) => (thrown instanceof Scripted ? thrown.failure : undefined),
        onEvent: (event) => this.#tell(going, event),
      },
    );
    this.#stock.tell(going.clock.now());
    if (this.#going !== going) return;
    this.#going = undefined;
    this.#ran = result;
    this.#title.textContent = REHEARSE.ran;
    this.#offer();
    this.#showResult(step, result);
  }

  /** Draws the run as it stands, until it has ended. */
  #follow(going: Going, step: PlannedStep): void {
    if (this.#going !== going) return;
    const nowMs = going.clock.now() - going.fromMs;
    const lanes = going.lanes.map((lane) =>
      lane.outcome === "running" ? { ...lane, endMs: Math.max(nowMs, lane.startMs) } : lane,
    );
    const endMs = Math.max(nowMs * 1.15, 1000, ...lanes.map((lane) => lane.endMs));
    const { budgetMs } = step.plan;
    const limitMs = budgetMs !== null && budgetMs <= endMs ? budgetMs : null;
    this.#drawPicture({ lanes: lanes.slice(-MOST_BARS), endMs, limitMs, nowMs }, step.name);
    requestAnimationFrame(() => this.#follow(going, step));
  }

  #tell(going: Going, event: RunEvent): void {
    this.#stock.tell(going.clock.now());
    const last = going.lanes.at(-1);
    if (event.type === "attempt") {
      const waitFromMs = last?.endMs ?? event.atMs;
      const [startMs, label] = [event.atMs, `${event.attempt}`];
      const clipped = event.clippedToMs !== undefined;
      going.lanes.push({ label, waitFromMs, startMs, endMs: startMs, clipped, reachable: true, outcome: "running" });
      say(this.#sentence, REHEARSE.events.attempt(event.attempt));
    } else if (event.type === "failed" || event.type === "succeeded") {
      const timedOut = event.type === "failed" && event.error.code === "STEP_TIMEOUT";
      const outcome = event.type === "succeeded" ? "ok" : timedOut ? "timeout" : "failed";
      if (last !== undefined) Object.assign(last, { endMs: event.atMs, outcome, mark: RUN.marks[outcome] });
      if (event.type === "failed") say(this.#sentence, REHEARSE.events.failed(event.attempt, event.error.code));
    } else if (event.type === "waiting") {
      say(this.#sentence, REHEARSE.events.waiting(duration(event.ms), event.attempt));
    }
  }

  #togglePause(): void {
    const clock = this.#going?.clock;
    if (clock === undefined) return;
    if (clock.paused) clock.resume();
    else clock.pause();
    this.#offer();
  }

  #offer(): void {
    const going = this.#going !== undefined;
    // Whoever has the keyboard on a button that is switched off goes on at the one that is next in use.
    const held = document.activeElement;
    const begins = this.#starts.find((start) => start === held);
    const ends = held === this.#pause || held === this.#abort;
    if (going && begins !== undefined) this.#begun = begins;
    for (const start of this.#starts) start.disabled = going;
    this.#pause.disabled = this.#abort.disabled = !going;
    this.#pause.textContent = this.#going?.clock.paused === true ? REHEARSE.resume : REHEARSE.pause;
    if (going && begins !== undefined) this.#pause.focus();
    if (!going && ends) this.#begun?.focus();
  }
}

/** A failure that the script asks for. */
class Scripted extends Error {
  readonly failure;

  constructor({ result, retryAfterMs, code, message }: SimulatedOutcome) {
    super(message);
    const retryable = result === "retryable";
    this.failure = {
      code: code ?? (retryable ? "SERVICE_HTTP_5XX" : "ENGINE_HANDLER_FAILED"),
      message: message ?? (retryable ? REHEARSE.serviceFailed : REHEARSE.handlerFailed),
      retryable,
      retryAfterMs,
    };
  }
}

async function play(
  outcome: SimulatedOutcome | undefined,
  clock: ScaledClock,
  signal: Parameters<ScaledClock["sleep"]>[1],
) {
  const { result = "ok", ms = 0 } = outcome ?? {};
  await clock.sleep(result === "hang" ? Number.MAX_SAFE_INTEGER : ms, signal);
  if (outcome !== undefined && result !== "ok") throw new Scripted(outcome);
}

function sentenceOf({ outcome, attempts, attempts_omitted = 0, elapsed_ms, exhausted_by }: StepRecord): string {
  const made = counted(attempts.length + attempts_omitted, "attempt");
  const time = duration(elapsed_ms);
  if (outcome === "succeeded") return REHEARSE.succeeded(made, time);
  if (outcome === "aborted") return REHEARSE.aborted(time);
  return REHEARSE.failed(made, time, exhausted_by === undefined ? "" : `: ${EXHAUSTED[exhausted_by]}`);
}
