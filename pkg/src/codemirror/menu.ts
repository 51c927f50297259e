/**
 * A short list of things to do, opened at the cursor and worked by keyboard or pointer.
 *
 * @module
 */

import { StateEffect, StateField } from "@codemirror/state";
import { type EditorView, showTooltip, type Tooltip } from "@codemirror/view";

/** One thing to do. */
export interface Choice {
  /** What it is called. */
  label: string;
  /** Does it. The menu is closed by then. */
  run: (view: EditorView) => void;
}

interface Menu {
  /** Its name for those who do not see it. */
  title: string;
  choices: readonly Choice[];
  pos: number;
}

const setMenu = StateEffect.define<Menu | null>();

/** The menu, while it is open. */
export const menu = StateField.define<Menu | null>({
  create: () => null,
  update(value, { effects, docChanged, selection }) {
    const set = effects.find((effect) => effect.is(setMenu));
    if (set !== undefined) return set.value as Menu | null;
    return docChanged || selection !== undefined ? null : value;
  },
  provide: (field) => showTooltip.from(field, (value) => value && tooltip(value)),
});

/** Opens a menu at `pos`. */
export function openMenu(view: EditorView, title: string, choices: readonly Choice[], pos: number): void {
  view.dispatch({ effects: setMenu.of({ title, choices, pos }), scrollIntoView: true });
}

function close(view: EditorView): void {
  view.dispatch({ effects: setMenu.of(null) });
  view.focus();
}

function tooltip({ title, choices, pos }: Menu): Tooltip {
  return {
    pos,
    create(view) {
      const dom = document.createElement("div");
      dom.className = "cm-step-retry-menu";
      dom.setAttribute("role", "menu");
      dom.setAttribute("aria-label", title);
      dom.append(...choices.map((choice) => item(view, choice)));
      dom.addEventListener("keydown", (event) => onKey(view, dom, event));
      dom.addEventListener("focusout", ({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !dom.contains(relatedTarget)) view.dispatch({ effects: setMenu.of(null) });
      });
      return { dom, mount: () => requestAnimationFrame(() => focus(dom, 0)) };
    },
  };
}

function item(view: EditorView, { label, run }: Choice): HTMLElement {
  const button = document.createElement("button");
  button.type = "button";
  button.tabIndex = -1;
  button.setAttribute("role", "menuitem");
  button.textContent = label;
  button.addEventListener("click", () => {
    close(view);
    run(view);
  });
  return button;
}

function items(dom: HTMLElement): HTMLElement[] {
  return Array.from(dom.children).filter((child) => child instanceof HTMLElement);
}

function focus(dom: HTMLElement, index: number): void {
  const all = items(dom);
  all.at(index % Math.max(all.length, 1))?.focus();
}

function onKey(view: EditorView, dom: HTMLElement, event: KeyboardEvent): void {
  const all = items(dom);
  const at = all.indexOf(event.target as HTMLElement);
  if (event.key === "Escape" || event.key === "Tab") close(view);
  else if (event.key === "ArrowDown") focus(dom, at + 1);
  else if (event.key === "ArrowUp") focus(dom, at - 1);
  else if (event.key === "Home") focus(dom, 0);
  else if (event.key === "End") focus(dom, -1);
  else if (event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey)
    focusByLetter(all, at, event.key);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** The next choice that begins with `letter`, round the end. */
function focusByLetter(all: readonly HTMLElement[], at: number, letter: string): void {
  const order = [...all.slice(at + 1), ...all.slice(0, at + 1)];
  order.find(({ textContent }) => textContent.toLowerCase().startsWith(letter.toLowerCase()))?.focus();
}
