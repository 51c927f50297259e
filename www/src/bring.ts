/**
 * A policy of another engine or library: what it means here, and into the file with it.
 *
 * @module
 */

import { isStepRetryError, type StepLimits, type StepSummary, validate } from "step-retry";
import { IMPORT_SOURCES, type ImportSource, importPolicy, type PolicyImport } from "step-retry/export";
import { keysOf } from "../../pkg/src/codemirror/keys.js";
import { spoken, unbroken } from "../../pkg/src/draw/duration.js";
import { button, html, say, select } from "../../pkg/src/element/dom.js";
import { BRING, FORM } from "../../pkg/src/element/texts.js";
import { limitLines, writeLimits } from "./limits-edit.js";
import { readSettings } from "./settings-text.js";

/** Something to begin with, so that one sees how they look. */
const SAMPLES: Record<ImportSource, string> = {
  temporal: '{\n  startToCloseTimeout: "30 seconds",\n  retry: { maximumAttempts: 4, initialInterval: "1s" },\n}',
  "step-functions":
    '{\n  "TimeoutSeconds": 10,\n  "Retry": [\n    { "ErrorEquals": ["Retryable"], "IntervalSeconds": 2, "MaxAttempts": 3, "BackoffRate": 2 }\n  ]\n}',
  "p-retry": "{ retries: 3, minTimeout: 200, randomize: true }",
  cockatiel: "{ maxAttempts: 3, backoff: { initialDelay: 100, maxDelay: 3_000 } }",
  "async-retry": "{ retries: 5, minTimeout: 500, maxTimeout: 10_000 }",
  polly: '{ "MaxRetryAttempts": 4, "Delay": "00:00:02", "BackoffType": "Exponential", "UseJitter": true }',
  tenacity: "{ stop_after_attempt: 3, wait_exponential: { multiplier: 0.5, max: 10 } }",
};

const RETRY_KEYS = keysOf("retry").map(({ name }) => name);

/** What this part needs of the page. */
export interface BringHost {
  text: () => string;
  /** Puts `text` in place of the file, as one step to undo. */
  write: (text: string) => void;
  /** The step that is chosen. */
  step: () => StepSummary | undefined;
}

/** The field for the settings, and what they are here. */
export class Bring {
  readonly element: HTMLElement;
  readonly #host: BringHost;
  readonly #field = html("textarea", { rows: "7", spellcheck: "false", autocapitalize: "off" });
  readonly #trouble = html("p", { class: "form-message", role: "status" });
  readonly #shown = html("div", { class: "move" });
  readonly #put = button("", () => this.#putIn(), { class: "main" });
  #source: ImportSource = "temporal";
  #limits: StepLimits | undefined;

  constructor(host: BringHost) {
    this.#host = host;
    const sources = IMPORT_SOURCES.map((source) => [source, BRING.sources[source]] as const);
    const { field } = select(BRING.from, sources, (value) => {
      // What somebody has written stays; a sample gives way to the next.
      const untouched = this.#field.value.trim() === "" || this.#field.value === SAMPLES[this.#source];
      this.#source = value as ImportSource;
      if (untouched) this.#field.value = SAMPLES[this.#source];
      this.#read();
    });
    this.#field.value = SAMPLES[this.#source];
    this.#field.addEventListener("input", () => this.#read());
    const settings = html("label", { class: "settings" }, html("span", {}, BRING.settings), this.#field);
    const hint = html("p", { class: "quiet" }, BRING.hint);
    const all = html("div", { class: "bring" }, field, settings, hint, this.#trouble, this.#shown);
    all.append(html("div", { class: "buttons" }, this.#put));
    this.element = html("details", {}, html("summary", {}, BRING.title), all);
    this.#read();
  }

  /** Names the step that is chosen now. */
  follow(): void {
    const step = this.#host.step();
    this.#put.textContent = step === undefined ? BRING.noStep : BRING.put(step.name);
    this.#put.disabled = step === undefined || this.#limits === undefined;
  }

  #read(): void {
    this.#limits = undefined;
    try {
      const brought = importPolicy(this.#source, readSettings(this.#field.value));
      this.#limits = brought.step;
      this.#shown.replaceChildren(...draw(brought));
      say(this.#trouble, "");
    } catch (thrown) {
      if (!isStepRetryError(thrown) && !(thrown instanceof SyntaxError)) throw thrown;
      this.#shown.replaceChildren();
      say(this.#trouble, isStepRetryError(thrown) ? thrown.message : BRING.unread(thrown.message));
    }
    this.follow();
  }

  #putIn(): void {
    const [step, limits] = [this.#host.step(), this.#limits];
    if (step === undefined || limits === undefined) return;
    const find = (text: string) => validate(text, { recover: true }).steps.find(({ name }) => name === step.name);
    const written = writeLimits(this.#host.text(), find, limits, RETRY_KEYS);
    if (written !== undefined) this.#host.write(written);
    say(this.#trouble, written === undefined ? FORM.elsewhere : BRING.done(step.name));
  }
}

function draw({ step, notes }: PolicyImport): Node[] {
  const lines = limitLines(step);
  const block = html("pre", { tabindex: "0", role: "region", "aria-label": BRING.means }, lines.join("\n"));
  const items = notes.map(({ code, message }) =>
    html("li", {}, html("code", {}, code), " ", unbroken(spoken(message))),
  );
  return [
    html("h3", {}, BRING.means),
    lines.length === 0 ? html("p", {}, BRING.once) : block,
    ...(items.length === 0 ? [] : [html("h3", {}, BRING.notes), html("ul", { class: "losses" }, ...items)]),
  ];
}
