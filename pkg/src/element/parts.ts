/**
 * The pieces that views are put together from: a picture, a table, figures.
 *
 * @module
 */

import { unbroken } from "../draw/duration.js";
import { drawPicture, type Scale } from "../draw/svg.js";
import type { Timeline } from "../draw/timeline.js";
import { html, svg } from "./dom.js";

/** A picture of `timeline` in an element of its own that scrolls where it must. */
export function picture(timeline: Timeline, width: number, title: string, scale: Scale): HTMLElement {
  return html("div", { class: "picture" }, svg(drawPicture(timeline, { width, title, scale })));
}

/** A table whose first column names its rows. */
export function table(caption: string, heads: readonly string[], cells: readonly (readonly string[])[]): HTMLElement {
  const body = cells.map(([first = "", ...rest]) =>
    html("tr", {}, html("th", { scope: "row" }, first), ...rest.map((cell) => html("td", {}, unbroken(cell)))),
  );
  const made = html(
    "table",
    {},
    html("caption", {}, caption),
    html("thead", {}, html("tr", {}, ...heads.map((head) => html("th", { scope: "col" }, head)))),
    html("tbody", {}, ...body),
  );
  // Where it is wider than its room it scrolls, and must be reached by keyboard for that.
  return html("div", { class: "table", role: "region", "aria-label": caption, tabindex: "0" }, made);
}

/** A figure with its name and a word on it. */
export type Figure = readonly [name: string, value: string, note: string];

/** Figures side by side. */
export function figures(all: readonly Figure[]): HTMLElement {
  const one = ([name, value, note]: Figure) =>
    html(
      "div",
      {},
      html("dt", {}, name),
      html("dd", {}, html("strong", {}, value), ...(note === "" ? [] : [html("span", {}, note)])),
    );
  return html("dl", { class: "figures" }, ...all.map(one));
}
