/**
 * The limits of a step as a form that writes the file's text, and follows it.
 *
 * @module
 */

import { type StepSummary, validate } from "step-retry";
import { fate, findKey, type Key, KINDS, keysOf } from "../../pkg/src/codemirror/keys.js";
import { capital, spelledValue } from "../../pkg/src/codemirror/texts.js";
import { button, html } from "../../pkg/src/element/dom.js";
import { FORM } from "../../pkg/src/element/texts.js";
import { readLimits, type Setting, writeRetryBlock, writeSetting } from "./yaml-edit.js";

/** Where a slider stops: numbers people choose, rather than all there are. */
const STOPS: Record<string, readonly number[]> = {
  ms: [0, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000, 300_000, 900_000, 3_600_000],
  s: [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200, 21_600, 86_400],
  "": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 50, 100],
};

const FIRST_BLOCK = ["max_attempts: 3", "backoff: exponential", "base_delay_ms: 1000"];

/** What the form needs of the page. */
export interface FormHost {
  text: () => string;
  /** Puts `text` in place of the file, as one step to undo. */
  write: (text: string) => void;
}

type Values = Record<string, unknown>;

interface Row {
  element: HTMLElement;
  show: (values: Values, reason: string) => void;
}

/** The form of one step at a time. */
export class LimitsForm {
  readonly element = html("form", { class: "limits" });
  readonly #host: FormHost;
  readonly #title = html("h3");
  readonly #none = html("p", { class: "quiet" }, FORM.none);
  readonly #message = html("p", { class: "form-message", role: "status" });
  readonly #own: readonly [Key, Row][];
  readonly #inner: readonly [Key, Row][];
  readonly #retry = html("input", { type: "checkbox" });
  readonly #fields = html("div");
  readonly #retryReason = html("span", { class: "reason" });
  #step: StepSummary | undefined;

  constructor(host: FormHost) {
    this.#host = host;
    const own = ["timeout_seconds", "idempotent"].flatMap((name) => findKey("step", name) ?? []);
    this.#own = own.map((key) => [key, this.#row(key, [key.name])] as const);
    this.#inner = keysOf("retry").map((key) => [key, this.#row(key, ["retry", key.name])] as const);
    this.#retry.addEventListener("change", () => this.#toggleRetry());
    const label = html("label", {}, this.#retry, html("strong", {}, FORM.retry));
    const block = html(
      "fieldset",
      {},
      html("legend", {}, "retry"),
      html("div", { class: "setting" }, label, this.#retryReason),
    );
    block.append(...this.#inner.map(([, row]) => row.element));
    this.#fields.append(...this.#own.map(([, row]) => row.element), block);
    this.element.append(this.#title, this.#none, this.#fields, this.#message);
    this.element.addEventListener("submit", (event) => event.preventDefault());
  }

  /** Shows what `step` says now. */
  show(step: StepSummary | undefined): void {
    if (step?.name !== this.#step?.name) this.#message.textContent = "";
    this.#step = step;
    this.#none.hidden = step !== undefined;
    this.#fields.hidden = step === undefined;
    this.#title.textContent = step === undefined ? "" : FORM.title(step.name);
    if (step === undefined) return;
    // What is refused, or on a step that has no limits, still stands in the text.
    const values = { ...(step.limits ?? readLimits(this.#host.text(), step)) } as Values;
    const retry = values["retry"] as Values | undefined;
    const kind = KINDS.find((name) => name === step.execution);
    for (const [key, row] of this.#own) row.show(values, fate(key, kind) === "refused" ? capital(key.why ?? "") : "");
    const refused = retryKey !== undefined && fate(retryKey, kind) === "refused";
    this.#retry.checked = retry !== undefined;
    // What is on already can always be taken back, here and below.
    this.#retry.disabled = refused && retry === undefined;
    const unread = kind !== undefined && retryKey !== undefined && fate(retryKey, kind) === "unread";
    this.#retryReason.textContent = refused ? FORM.finalizer : unread ? FORM.unread(kind) : "";
    for (const [key, row] of this.#inner) row.show({ ...retry }, this.#reason(key, retry === undefined, values));
  }

  #reason(key: Key, hasNoBlock: boolean, values: Values): string {
    if (hasNoBlock) return FORM.needsRetry;
    return key.name === "on_timeout" && values["idempotent"] !== true ? FORM.needsIdempotent : "";
  }

  #toggleRetry(): void {
    const step = this.#step;
    if (step === undefined) return;
    const written = writeRetryBlock(this.#host.text(), step, this.#retry.checked ? FIRST_BLOCK : undefined);
    this.#take(written);
  }

  #write(setting: Setting, value: string | undefined): void {
    const step = this.#step;
    if (step !== undefined) this.#take(writeSetting(this.#host.text(), step, setting, value));
  }

  /** Takes `text` over, unless it would break what was whole. */
  #take(text: string | undefined): void {
    const breaks = (written: string) =>
      validate(written).diagnostics.some(({ code }) => code === "YAML_PARSE_ERROR") &&
      !validate(this.#host.text()).diagnostics.some(({ code }) => code === "YAML_PARSE_ERROR");
    if (text === undefined || breaks(text)) {
      this.#message.textContent = FORM.elsewhere;
      this.show(this.#step);
      return;
    }
    this.#message.textContent = "";
    this.#host.write(text);
  }

  #row(key: Key, setting: Setting): Row {
    if (key.words !== undefined) return this.#wordRow(key, setting);
    if (key.takes === "boolean" || key.name === "idempotent") return this.#switchRow(key, setting);
    return this.#numberRow(key, setting);
  }

  #switchRow(key: Key, setting: Setting): Row {
    const input = html("input", { type: "checkbox" });
    input.addEventListener("change", () => this.#write(setting, input.checked ? "true" : undefined));
    const { element, reason } = settingRow(key, html("label", {}, input, html("code", {}, key.name)));
    const show = (values: Values, why: string) => {
      input.checked = values[key.name] === true;
      input.disabled = why !== "" && !input.checked;
      reason.textContent = why;
    };
    return { element, show };
  }

  #wordRow(key: Key, setting: Setting): Row {
    const words = (key.words ?? []).map((word) => html("option", { value: word }, word));
    const input = html("select", {}, html("option", { value: "" }, FORM.absent(key.default)), ...words);
    input.addEventListener("change", () => this.#write(setting, input.value === "" ? undefined : input.value));
    const { element, reason } = settingRow(key, html("label", {}, html("code", {}, key.name), input));
    const show = (values: Values, why: string) => {
      const value = values[key.name];
      input.value = typeof value === "string" ? value : "";
      input.disabled = why !== "";
      reason.textContent = why;
    };
    return { element, show };
  }

  #numberRow(key: Key, setting: Setting): Row {
    const stops = STOPS[key.unit ?? ""] ?? [];
    const input = html("input", {
      type: "number",
      inputmode: "numeric",
      min: key.takes === "count" ? "1" : "0",
      step: "any",
    });
    input.placeholder = key.default ?? "";
    const slider = html("input", {
      type: "range",
      min: "0",
      max: `${stops.length - 1}`,
      step: "1",
      "aria-label": FORM.slider(key.name),
    });
    const removeIt = () => {
      const isHeld = clear.matches(":focus-visible");
      this.#write(setting, undefined);
      // The button is switched off now.
      if (isHeld) input.focus();
    };
    const clear = button("×", removeIt, {
      class: "clear",
      "aria-label": FORM.clear(key.name),
    });
    const spelled = html("span", { class: "spelled" });
    // A field that is empty, or holds no number yet, is one in which somebody types: what it means is known when it
    // is left.
    let isTypedIn = false;
    input.addEventListener("input", () => {
      isTypedIn = input.value === "";
      if (!isTypedIn) this.#write(setting, `${input.valueAsNumber}`);
    });
    const leave = () => {
      if (!isTypedIn) return;
      isTypedIn = false;
      if (input.validity.badInput) this.show(this.#step);
      else this.#write(setting, undefined);
    };
    input.addEventListener("change", leave);
    input.addEventListener("blur", leave);
    slider.addEventListener("input", () => this.#write(setting, `${stops[slider.valueAsNumber] ?? 0}`));
    const label = html("label", {}, html("code", {}, key.name), input, html("span", { class: "unit" }, key.unit ?? ""));
    const { element, reason } = settingRow(key, label, slider, spelled, clear);
    const show = (values: Values, why: string) => {
      const given = values[key.name];
      const value = typeof given === "number" ? `${given}` : "";
      // While it is typed in, a field keeps what is typed.
      if (!isTypedIn && (input.value === "" || Number(input.value) !== given)) input.value = value;
      const at = value === "" ? Number(key.default ?? 0) : Number(value);
      slider.value = `${nearestStop(stops, at)}`;
      spelled.textContent = value === "" ? FORM.absent(key.default) : (spelledValue(key, value) ?? "");
      slider.setAttribute(
        "aria-valuetext",
        value === "" ? FORM.absent(key.default) : (spelledValue(key, value) ?? value),
      );
      input.disabled = slider.disabled = why !== "";
      clear.disabled = value === "";
      reason.textContent = why;
    };
    return { element, show };
  }
}

const retryKey = findKey("step", "retry");

function settingRow(key: Key, ...controls: HTMLElement[]): { element: HTMLElement; reason: HTMLElement } {
  const reason = html("span", { class: "reason" });
  const about = html("span", { class: "about" }, key.about);
  return { element: html("div", { class: "setting" }, ...controls, about, reason), reason };
}

function nearestStop(stops: readonly number[], value: number): number {
  const distances = stops.map((stop) => Math.abs(Math.log1p(stop) - Math.log1p(value)));
  return distances.indexOf(Math.min(...distances));
}
