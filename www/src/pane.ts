/**
 * A part of the page that is fetched when it is first asked for.
 *
 * @module
 */

import { html } from "../../pkg/src/element/dom.js";
import { PAGE } from "../../pkg/src/element/texts.js";

/** Something that shows a step, or that there is none. */
export interface View<Step> {
  readonly element: HTMLElement;
  show: (step: Step | undefined) => void;
}

/** The panel of a view that `load` fetches. */
export class Pane<Step> {
  readonly panel = html("div");
  readonly #load: () => Promise<View<Step>>;
  #view: View<Step> | undefined;
  #loading: Promise<void> | undefined;

  constructor(load: () => Promise<View<Step>>) {
    this.#load = load;
  }

  /** Shows what `step` gives now, at once or when the view is here. */
  async show(step: () => Step | undefined): Promise<void> {
    this.#loading ??= this.#fetch();
    if (this.#view === undefined) await this.#loading;
    this.#view?.show(step());
  }

  async #fetch(): Promise<void> {
    try {
      this.#view = await this.#load();
      this.panel.replaceChildren(this.#view.element);
    } catch {
      this.#loading = undefined;
      this.panel.replaceChildren(html("p", { class: "quiet", role: "status" }, PAGE.notFetched));
    }
  }
}
