/**
 * Making and finding elements. Texts are only ever set as text, never as markup.
 *
 * @module
 */

import type { SvgNode } from "../../pkg/src/draw/svg.js";

/** The page's own element with `id`. */
export function byId<T extends HTMLElement>(id: string, kind: abstract new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page lacks its #${id}`);
}

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
