/**
 * Tabs: one panel is seen at a time, made when it is first asked for.
 *
 * @module
 */

import { html } from "../../pkg/src/element/dom.js";

/** One tab. */
export interface Tab {
  name: string;
  title: string;
  panel: HTMLElement;
  /** Called whenever it comes to be seen. */
  shown: () => void;
}

/** Tabs and their panels, worked with the arrow keys. */
export class Tabs {
  readonly element: HTMLElement;
  readonly #tabs: readonly Tab[];
  readonly #buttons: HTMLButtonElement[];
  #current = 0;

  constructor(tabs: readonly Tab[]) {
    this.#tabs = tabs;
    this.#buttons = tabs.map((tab, index) => this.#button(tab, index));
    for (const { name, panel } of tabs) {
      panel.id = `panel-${name}`;
      panel.setAttribute("role", "tabpanel");
      panel.setAttribute("aria-labelledby", `tab-${name}`);
      panel.tabIndex = -1;
    }
    const list = html("div", { role: "tablist", class: "tabs" }, ...this.#buttons);
    list.addEventListener("keydown", (event) => this.#onKey(event));
    this.element = html("div", {}, list, ...tabs.map(({ panel }) => panel));
    this.open(0);
  }

  /** The name of the tab that is seen. */
  get current(): string {
    return this.#tabs[this.#current]?.name ?? "";
  }

  /** Shows the tab called `name`, if there is one. */
  openByName(name: string): void {
    const index = this.#tabs.findIndex((tab) => tab.name === name);
    if (index >= 0) this.open(index);
  }

  open(index: number): void {
    this.#current = index;
    for (const [at, button] of this.#buttons.entries()) {
      button.setAttribute("aria-selected", `${at === index}`);
      button.tabIndex = at === index ? 0 : -1;
    }
    for (const [at, { panel }] of this.#tabs.entries()) panel.hidden = at !== index;
    this.#tabs[index]?.shown();
  }

  #button({ name, title }: Tab, index: number): HTMLButtonElement {
    const attributes = { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}` };
    const button = html("button", attributes, title);
    button.addEventListener("click", () => this.open(index));
    return button;
  }

  #onKey(event: KeyboardEvent): void {
    const last = this.#tabs.length - 1;
    const targets: Record<string, number> = {
      ArrowRight: this.#current === last ? 0 : this.#current + 1,
      ArrowLeft: this.#current === 0 ? last : this.#current - 1,
      Home: 0,
      End: last,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.open(target);
    this.#buttons[target]?.focus();
  }
}
