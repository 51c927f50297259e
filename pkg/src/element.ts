/**
 * `<step-retry-playground>`: a workflow file and what its retries will do, for the middle of a page. The text
 * and the picture are there at once; the editor is fetched when somebody touches the text.
 *
 * Importing this defines the element.
 *
 * @module
 */

import { html, say } from "./element/dom.js";
import embedded from "./element/embedded.css";
import look from "./element/look.css";
import { PlainSource } from "./element/plain-source.js";
import { isPlanned, PlanView, sayPlan } from "./element/plan-view.js";
import { ProblemList, verdictOf } from "./element/problems.js";
import { caretAt, type Source, type SourceEvents } from "./element/source.js";
import { EMBEDDED } from "./element/texts.js";
import { validate } from "./index.js";
import type { Fix, Report, StepSummary } from "./types.js";

/** What a `step-retry-change` event says. */
export interface PlaygroundChange {
  /** The file as it stands. */
  source: string;
  /** What is wrong with it, and its steps. */
  report: Report;
}

// A server that renders pages has no elements; it imports this all the same.
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

let sheets: CSSStyleSheet[] | undefined;

/** One sheet for all elements of the page. */
function sharedSheets(): CSSStyleSheet[] {
  sheets ??= [look, embedded].map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    return sheet;
  });
  return sheets;
}

/**
 * The element. Attributes: `source` (the file; without it the element's own text), `step` (the step that is
 * shown; without it the first with limits), `height` (in CSS units, of the text), `readonly`, `theme` (`light`,
 * `dark`; without it the page's own scheme). It fires `step-retry-change` after each change by its user.
 */
export class StepRetryPlayground extends Base {
  static readonly observedAttributes = ["source", "step", "height", "readonly"];

  #text: string | undefined;
  #source: Source | undefined;
  #report: Report | undefined;
  #steps: readonly StepSummary[] = [];
  /** Settled when the editor is there, or cannot be had. */
  #editor: Promise<void> | undefined;
  #parts: Parts | undefined;

  /** The file. Setting it puts another in its place. */
  get source(): string {
    return this.#source?.text ?? this.#text ?? this.getAttribute("source") ?? dedented(this.textContent ?? "");
  }

  set source(text: string) {
    this.#text = text;
    // What a step of the same name did in another file is not its past.
    this.#parts?.plan.show(undefined);
    if (this.#source !== undefined) this.#source.replace(text);
    else if (this.#parts !== undefined) this.#show(validate(text, { recover: true }));
  }

  /** The name of the step that is shown. */
  get step(): string {
    return this.#steps[this.#parts?.picker.selectedIndex ?? -1]?.name ?? "";
  }

  set step(name: string) {
    this.setAttribute("step", name);
  }

  /** What is wrong with the file, and its steps. */
  get report(): Report {
    return this.#report ?? validate(this.source, { recover: true });
  }

  connectedCallback(): void {
    if (this.#parts === undefined) {
      this.#parts = this.#build();
      this.#show(validate(this.source, { recover: true }));
    }
    this.#applyHeight();
  }

  attributeChangedCallback(name: string, _: string | null, value: string | null): void {
    if (this.#parts === undefined) return;
    if (name === "source" && value !== null) this.source = value;
    else if (name === "step") this.#choose(value);
    else if (name === "height") this.#applyHeight();
    else if (name === "readonly") {
      this.#backToText();
      this.#show(this.report);
    }
  }

  #build(): Parts {
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = sharedSheets();
    const text = html("pre", {
      class: "text",
      tabindex: "0",
      role: "textbox",
      "aria-multiline": "true",
      "aria-label": EMBEDDED.file,
    });
    text.setAttribute("aria-readonly", "true");
    const file = html("div", { class: "file" }, text);
    const verdict = html("p", { class: "verdict", role: "status" });
    const picker = html("select", { "aria-label": EMBEDDED.step });
    const sentence = html("p", { class: "sentence" });
    const plan = new PlanView(() => this.#showStep());
    const mend = (fix: Fix) => void this.#edit().then((source) => source?.edit(fix.edits));
    const isReadOnly = () => this.hasAttribute("readonly");
    const problems = new ProblemList({
      go: (range) => void this.#edit().then((source) => source?.select(range)),
      get mend() {
        return isReadOnly() ? undefined : mend;
      },
    });
    picker.addEventListener("change", () => this.#showStep());
    let pointed: number | undefined;
    text.addEventListener("pointerdown", ({ clientX, clientY }) => {
      pointed = document.caretPositionFromPoint?.(clientX, clientY, { shadowRoots: [root] })?.offset;
    });
    text.addEventListener("focus", () => void this.#edit(pointed));
    const left = html("div", { class: "left" }, file, verdict, problems.element);
    root.append(html("div", { class: "frame" }, left, html("div", { class: "right" }, picker, sentence, plan.element)));
    return { text, file, verdict, picker, sentence, plan, problems };
  }

  /** Puts a plain field in the place of the text, its cursor `at`, and the editor when it is there. */
  async #edit(at = 0): Promise<Source | undefined> {
    if (this.#parts === undefined || this.hasAttribute("readonly")) return this.#source;
    if (this.#source === undefined) {
      const events = {
        onReport: (report: Report) => this.#changed(report),
        onCursor: (cursor: number) => this.#follow(cursor),
      };
      // It takes what is typed meanwhile.
      const plain = new PlainSource(this.source, EMBEDDED.file, events);
      this.#put(plain, at);
      this.#editor = this.#fetchEditor(plain, events);
    }
    await this.#editor;
    return this.#source;
  }

  async #fetchEditor(plain: Source, events: SourceEvents): Promise<void> {
    try {
      const { CodeSource } = await import("./element/code-source.js");
      // It may have been made read-only meanwhile.
      if (this.#source !== plain) return;
      this.#put(new CodeSource({ text: plain.text, label: EMBEDDED.file }, events), plain.cursor);
    } catch {
      // The plain field does all that is needed.
    }
  }

  /** Puts `next` in the place of what shows the file, its cursor `at`, the keyboard staying where it is. */
  #put(next: Source, at: number): void {
    const file = this.#parts?.file;
    const hadFocus = file?.matches(":focus-within");
    const last = this.#source;
    this.#source = next;
    file?.replaceChildren(next.element);
    last?.destroy();
    if (hadFocus) next.select(caretAt(next.text, at));
  }

  #backToText(): void {
    if (!this.hasAttribute("readonly") || this.#source === undefined || this.#parts === undefined) return;
    this.#text = this.#source.text;
    this.#source.destroy();
    this.#source = undefined;
    this.#parts.file.replaceChildren(this.#parts.text);
  }

  #changed(report: Report): void {
    const isKnown = this.#text === this.#source?.text;
    this.#show(report);
    if (isKnown || this.#source === undefined) return;
    const detail: PlaygroundChange = { source: this.#source.text, report };
    this.dispatchEvent(new CustomEvent("step-retry-change", { detail, bubbles: true, composed: true }));
  }

  #show(report: Report): void {
    const parts = this.#parts;
    if (parts === undefined) return;
    this.#report = report;
    this.#text = this.source;
    if (this.#source === undefined) parts.text.textContent = this.#text;
    say(parts.verdict, verdictOf(report));
    parts.verdict.classList.toggle("valid", report.valid);
    parts.problems.show(report.diagnostics);
    const last = this.step;
    const shown = this.#steps.map(({ name }) => name);
    this.#steps = report.steps;
    const names = this.#steps.map(({ name }) => name);
    if (JSON.stringify(names) !== JSON.stringify(shown)) {
      parts.picker.replaceChildren(...names.map((name) => html("option", { value: name }, name)));
    }
    parts.picker.hidden = this.#steps.length < 2;
    this.#choose(last === "" ? this.getAttribute("step") : last);
  }

  #choose(name: string | null): void {
    if (this.#parts === undefined) return;
    const named = this.#steps.findIndex((step) => step.name === name);
    const at = named < 0 ? this.#steps.findIndex(isPlanned) : named;
    this.#parts.picker.selectedIndex = at < 0 ? Math.min(0, this.#steps.length - 1) : at;
    this.#showStep();
  }

  #follow(offset: number): void {
    const at = this.#steps.findIndex(({ range }) => range.start.offset <= offset && offset <= range.end.offset);
    if (at >= 0) this.#choose(this.#steps[at]?.name ?? null);
  }

  #showStep(): void {
    const parts = this.#parts;
    if (parts === undefined) return;
    const step = this.#steps[parts.picker.selectedIndex];
    say(parts.sentence, sayPlan(this.report, step, parts.plan.jitter));
    parts.plan.show(step);
  }

  #applyHeight(): void {
    const height = this.getAttribute("height");
    if (height !== null) this.#parts?.file.style.setProperty("height", /^\d+$/.test(height) ? `${height}px` : height);
  }
}

interface Parts {
  text: HTMLElement;
  file: HTMLElement;
  verdict: HTMLElement;
  picker: HTMLSelectElement;
  sentence: HTMLElement;
  plan: PlanView;
  problems: ProblemList;
}

/** `text` as it was meant: without the lines and the indentation that the page's own markup gives it. */
function dedented(text: string): string {
  const lines = text
    .replace(/^\s*\n/, "")
    .trimEnd()
    .split("\n");
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  const indent = Math.min(...indents, Number.MAX_SAFE_INTEGER);
  return `${lines.map((line) => line.slice(indent)).join("\n")}\n`;
}

if (typeof customElements !== "undefined" && customElements.get("step-retry-playground") === undefined) {
  customElements.define("step-retry-playground", StepRetryPlayground);
}

declare global {
  interface HTMLElementTagNameMap {
    "step-retry-playground": StepRetryPlayground;
  }
}
