/**
 * Making elements. Texts are only ever set as text, never as markup.
 *
 * @module
 */

import type { SvgNode } from "../draw/svg.js";

/** A new element with `attributes` and `children`. */
export function html<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** The element that `node` describes. */
export function svg(node: SvgNode): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", node.name);
  for (const [key, value] of Object.entries(node.attributes)) element.setAttribute(key, `${value}`);
  element.append(...node.children.map((child) => (typeof child === "string" ? child : svg(child))));
  return element;
}

/**
 * Makes the children of `parent` like `next`, and changes no more than what differs: the rest need not be laid out
 * anew, and keeps the focus and how far it is scrolled. For elements that nobody listens to.
 */
export function renew(parent: Element, next: readonly Node[]): void {
  const last = [...parent.childNodes];
  for (const [at, wanted] of next.entries()) {
    const has = last[at];
    if (has === undefined) parent.append(wanted);
    else if (!has.isEqualNode(wanted) && !become(has, wanted)) has.replaceWith(wanted);
  }
  for (const more of last.slice(next.length)) more.remove();
}

/** Whether `has` could be made like `wanted`. */
function become(has: Node, wanted: Node): boolean {
  if (has.nodeName !== wanted.nodeName) return false;
  if (has instanceof Element && wanted instanceof Element) {
    for (const name of has.getAttributeNames()) if (!wanted.hasAttribute(name)) has.removeAttribute(name);
    for (const { name, value } of wanted.attributes) {
      if (has.getAttribute(name) !== value) has.setAttribute(name, value);
    }
    renew(has, [...wanted.childNodes]);
  } else {
    has.nodeValue = wanted.nodeValue;
  }
  return true;
}

/** A button that says `text` and calls `run`. */
export function button(text: string, run: () => void, attributes: Record<string, string> = {}): HTMLButtonElement {
  const made = html("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", run);
  return made;
}

/** A choice among `options`, value and text each, with its label. */
export function select(
  label: string,
  options: readonly (readonly [value: string, text: string])[],
  changed: (value: string) => void,
): { field: HTMLElement; input: HTMLSelectElement } {
  const input = html("select", {}, ...options.map(([value, text]) => html("option", { value }, text)));
  input.addEventListener("change", () => changed(input.value));
  return { field: html("label", { class: "field" }, html("span", {}, label), input), input };
}

/** A number with its label and unit; `changed` is told the number, or nothing where there is none. */
export function number(
  label: string,
  unit: string,
  attributes: Record<string, string>,
  changed: (value: number | undefined) => void,
): { field: HTMLElement; input: HTMLInputElement } {
  const input = html("input", { type: "number", inputmode: "numeric", min: "0", ...attributes });
  input.addEventListener("input", () => changed(input.value === "" ? undefined : input.valueAsNumber));
  const after = unit === "" ? [] : [html("span", { class: "unit" }, unit)];
  return { field: html("label", { class: "field" }, html("span", {}, label), input, ...after), input };
}

/** Puts `text` into a live region; the same words again would be read out again. */
export function say(region: HTMLElement, text: string): void {
  if (region.textContent !== text) region.textContent = text;
}
