/**
 * A picture as a file of its own: with a name space, colours and escaped texts.
 *
 * @module
 */

import type { SvgNode } from "./svg.js";

/** Readable on light and on dark. */
const STYLE = `
  .timeline { --ink: #1c1e22; --quiet: #5b616b; --line: #dcdad4; --accent: #2b6b5e; --alarm: #b02a1c; background: #fff; }
  @media (prefers-color-scheme: dark) {
    .timeline { --ink: #e7e9ed; --quiet: #a0a7b3; --line: #30343d; --accent: #72c8b4; --alarm: #ff9384; background: #14161a; }
  }
  text { fill: var(--quiet); font: 12px system-ui, sans-serif; }
  .attempt-label { fill: var(--ink); }
  .tick { stroke: var(--line); }
  .attempt { fill: var(--accent); }
  .clipped { fill-opacity: 0.35; stroke: var(--accent); }
  .wait { stroke: var(--quiet); stroke-width: 2; stroke-dasharray: 2 3; }
  .limit { stroke: var(--alarm); stroke-width: 1.5; stroke-dasharray: 6 3; }
`;

/** The text of an SVG file that shows `picture`. */
export function svgFile(picture: SvgNode): string {
  const attributes = { xmlns: "http://www.w3.org/2000/svg", ...picture.attributes };
  const style = { name: "style", attributes: {}, children: [STYLE] };
  return `${markup({ ...picture, attributes, children: [style, ...picture.children] })}\n`;
}

function markup(node: SvgNode | string): string {
  if (typeof node === "string") return escaped(node);
  const attributes = Object.entries(node.attributes).map(([name, value]) => ` ${name}="${escaped(`${value}`)}"`);
  return `<${node.name}${attributes.join("")}>${node.children.map(markup).join("")}</${node.name}>`;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Control characters have no place in XML, not even escaped. */
function escaped(text: string): string {
  return text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "\ufffd").replace(/[&<>"]/g, (c) => ENTITIES[c] ?? c);
}
