/**
 * What a key means, under the pointer or at the cursor.
 *
 * @module
 */

import { activateHover, type EditorView, hoverTooltip, type Tooltip } from "@codemirror/view";
import { findKey, type Key, type Kind } from "./keys.js";
import { placeAt } from "./place.js";
import { fateOf, ruleOf, spelledValue } from "./texts.js";

/** The text on a key, shown while the pointer rests on it. */
export const keyHover = hoverTooltip((view, pos) => tooltipAt(view, pos), { hoverTime: 300 });

/** Shows the text on the key at the cursor until the cursor moves. */
export function showKeyText(view: EditorView): boolean {
  const { head } = view.state.selection.main;
  if (tooltipAt(view, head) === null) return false;
  activateHover(view, head, 1, { tooltip: keyHover, until: (tr) => tr.docChanged || tr.selection !== undefined });
  return true;
}

function tooltipAt({ state }: EditorView, pos: number): Tooltip | null {
  const place = placeAt(state.doc, pos);
  const key = place.block && findKey(place.block, place.key);
  if (key === undefined) return null;
  const line = state.doc.lineAt(pos);
  const value = place.on === "value" ? valueAround(line.text, pos - line.from) : undefined;
  return {
    pos: place.from,
    end: pos,
    above: true,
    create: () => ({ dom: card(key, place.kind, value) }),
  };
}

function valueAround(text: string, at: number): string {
  const before = /[\w.+-]*$/.exec(text.slice(0, at))?.[0] ?? "";
  const after = /^[\w.+-]*/.exec(text.slice(at))?.[0] ?? "";
  return before + after;
}

function card(key: Key, kind: Kind | undefined, value: string | undefined): HTMLElement {
  const dom = document.createElement("div");
  dom.className = "cm-step-retry-key";
  const spelled = value === undefined ? undefined : spelledValue(key, value);
  add(dom, "strong", spelled === undefined ? key.name : `${key.name}: ${spelled}`);
  for (const sentence of [key.about, ruleOf(key), fateOf(key, kind)]) if (sentence !== "") add(dom, "p", sentence);
  return dom;
}

function add(parent: HTMLElement, name: string, text: string): void {
  const element = document.createElement(name);
  element.textContent = text;
  parent.append(element);
}
