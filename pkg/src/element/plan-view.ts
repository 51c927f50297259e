/**
 * What the retries of a step will do: picture, figures and table, under assumptions that can be changed.
 *
 * @module
 */

import { explainLimits } from "../codemirror/explain.js";
import { duration } from "../draw/duration.js";
import { count } from "../draw/numbers.js";
import type { Scale } from "../draw/svg.js";
import { timeline } from "../draw/timeline.js";
import { planTable } from "../draw/words.js";
import { plan, planRows } from "../index.js";
import type { Jitter, Plan, PlanRow, Report, StepLimits, StepSummary } from "../types.js";
import { html, number, renew, select } from "./dom.js";
import { type Figure, figures, picture, table } from "./parts.js";
import { PLAN } from "./texts.js";

/** Attempts shown; a page that lists thousands shows nothing. */
const ROWS_SHOWN = 30;

/** A step that has limits to show. */
export type PlannedStep = StepSummary & { limits: StepLimits; plan: Plan };

/** Whether `step` has limits to show. */
export function isPlanned(step: StepSummary): step is PlannedStep {
  return step.limits !== undefined && step.plan !== undefined;
}

/** What `step` of `report` will do under `jitter`, in a sentence, or why that is not known. */
export function sayPlan({ diagnostics }: Report, step: StepSummary | undefined, jitter: Jitter = "none"): string {
  if (step === undefined) return PLAN.nothing;
  if (isPlanned(step)) return explainLimits(step.limits, jitter);
  const isRefused = diagnostics.some(
    (one) => one.severity === "error" && (one.step === step.name || one.code === "YAML_PARSE_ERROR"),
  );
  return isRefused ? PLAN.unread(step.name) : PLAN.none(step.name);
}

/** Shows one step at a time, drawn anew when its room changes. */
export class PlanView {
  /** What to put into the page. */
  readonly element: HTMLElement;
  readonly #shown = html("div", { class: "plan", role: "group" });
  #step: PlannedStep | undefined;
  #scale: Scale = "linear";
  #jitter: Jitter = "none";
  #assume: number | undefined;
  #inner = 1;
  #width = 0;

  /** `assumed` is called when other chances are assumed: what is said beside the plan follows them. */
  constructor(assumed: () => void) {
    const redraw = () => this.#show();
    const scale = select(PLAN.scale, PLAN.scales, (value) => {
      this.#scale = value as Scale;
      redraw();
    });
    const jitter = select(PLAN.jitter, PLAN.jitters, (value) => {
      this.#jitter = value as Jitter;
      redraw();
      assumed();
    });
    const assume = number(PLAN.assume, "ms", { placeholder: PLAN.assumeHint }, (value) => {
      this.#assume = value !== undefined && value >= 0 ? value : undefined;
      redraw();
    });
    const inner = number(PLAN.inner, "", { min: "1", value: "1" }, (value) => {
      this.#inner = Number.isSafeInteger(value) && value !== undefined && value >= 1 ? value : 1;
      redraw();
    });
    const fields = [scale, jitter, assume, inner].map(({ field }) => field);
    this.element = html("div", {}, html("div", { class: "fields" }, ...fields), this.#shown);
    new ResizeObserver(() => {
      const width = this.#shown.clientWidth;
      // In a tab that is not seen it has none, and mostly comes back as wide as it was.
      if (width === this.#width || width === 0) return;
      this.#width = width;
      redraw();
    }).observe(this.#shown);
  }

  /** The jitter that is assumed. */
  get jitter(): Jitter {
    return this.#jitter;
  }

  /**
   * Shows `step`, or nothing. Where the limits of the step that is shown cannot be read any more, what they were
   * stays, marked as past: somebody is typing.
   */
  show(step: StepSummary | undefined): void {
    const planned = step !== undefined && isPlanned(step) ? step : undefined;
    const isPast = step !== undefined && planned === undefined && step.name === this.#step?.name;
    this.#markPast(isPast);
    if (isPast) return;
    const isSame =
      planned?.name === this.#step?.name && JSON.stringify(planned?.limits) === JSON.stringify(this.#step?.limits);
    this.#step = planned;
    if (!isSame || this.#width === 0) this.#show();
  }

  #markPast(isPast: boolean): void {
    this.#shown.classList.toggle("past", isPast);
    if (isPast) this.#shown.setAttribute("aria-label", PLAN.past);
    else this.#shown.removeAttribute("aria-label");
  }

  #show(): void {
    const step = this.#step;
    this.element.hidden = step === undefined;
    // Asking for it while things change has the whole page laid out.
    if (this.#width === 0) this.#width = this.#shown.clientWidth;
    renew(this.#shown, step === undefined ? [] : this.#draw(step));
  }

  #draw({ name, limits, plan: reported }: PlannedStep): Node[] {
    const options = { name, jitter: this.#jitter };
    const isReported = this.#jitter === "none" && this.#inner === 1;
    const whole = isReported ? reported : plan(limits, { ...options, innerAttempts: this.#inner });
    const rows = planRows(limits, { ...options, count: ROWS_SHOWN, assume: this.#assume });
    const { heads, cells } = planTable(whole, rows);
    const more = rows.at(-1)?.reachable === true ? whole.maxAttempts - rows.length : 0;
    const caption = this.#assume === undefined ? PLAN.caption(name) : PLAN.captionAssumed(name, duration(this.#assume));
    return [
      picture(this.#timeline(rows, whole), this.#width, PLAN.picture(name), this.#scale),
      figures(this.#figures(whole)),
      table(caption, heads, cells),
      ...(more > 0 ? [html("p", { class: "quiet" }, PLAN.more(more))] : []),
    ];
  }

  #timeline(rows: readonly PlanRow[], whole: Plan) {
    const assumed = this.#assume;
    const took = (row: PlanRow) => ({
      ...row,
      timeoutMs: Math.min(assumed ?? 0, row.timeoutMs ?? Number.POSITIVE_INFINITY),
    });
    return timeline(assumed === undefined ? rows : rows.map(took), whole);
  }

  #figures({ budgetMs, budgetSource, latestEndMs, totalWaitMs, worstCaseMs, ...whole }: Plan): Figure[] {
    const worst = latestEndMs === null ? PLAN.unbounded : duration(latestEndMs);
    const each =
      worstCaseMs === null || worstCaseMs === latestEndMs ? "" : `${duration(worstCaseMs)} ${PLAN.worstEach}`;
    const limit: Figure =
      budgetMs === null
        ? [PLAN.limit, PLAN.noLimit, ""]
        : [PLAN.limit, duration(budgetMs), budgetSource === "declared" ? PLAN.declared : PLAN.computed];
    return [[PLAN.worst, worst, each], limit, [PLAN.waits, duration(totalWaitMs), PLAN.waitsHint], this.#calls(whole)];
  }

  #calls({ maxAttempts, maxCalls, reachableAttempts }: Pick<Plan, "maxAttempts" | "maxCalls" | "reachableAttempts">) {
    const isCut = reachableAttempts < maxAttempts;
    const many = isCut ? reachableAttempts * this.#inner : maxCalls;
    const note = this.#inner === 1 ? (isCut ? PLAN.callsCut : "") : PLAN.callsFrom(reachableAttempts, this.#inner);
    return [PLAN.calls, count(many), note] as const;
  }
}
