/**
 * The file in CodeMirror, in a shadow root of its own: there its styles are constructed sheets, which the
 * strictest policy of a page allows.
 *
 * @module
 */

import { closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  tooltips,
} from "@codemirror/view";
import { fixAll, stepRetry } from "../codemirror.js";
import type { Range, TextEdit } from "../types.js";
import { html } from "./dom.js";
import type { Source, SourceEvents } from "./source.js";
import { yamlColours } from "./yaml-colours.js";

const looks = EditorView.theme({
  "&": {
    height: "100%",
    color: "var(--ink)",
    backgroundColor: "var(--surface)",
    fontSize: "var(--code-size, 0.84rem)",
  },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6", containerType: "inline-size" },
  // As wide as what is seen of the text, beside the numbers.
  ".cm-step-retry-sentence": { maxWidth: "calc(100cqi - 4.5rem)" },
  ".cm-content": { padding: "0.6rem 0", caretColor: "var(--accent)" },
  ".cm-gutters": { color: "var(--quiet)", backgroundColor: "transparent", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent) 7%, transparent)" },
  ".cm-content ::selection": { backgroundColor: "var(--selection)" },
  ".cm-tooltip": {
    color: "var(--ink)",
    backgroundColor: "var(--raised)",
    border: "1px solid var(--line)",
    borderRadius: "6px",
    boxShadow: "0 6px 24px #0003",
    fontFamily: "var(--prose)",
    fontSize: "0.86rem",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)" },
  // Where there is no room beside the list, what is told of a choice covers none of the others.
  ".cm-tooltip.cm-completionInfo-right-narrow": { left: "0" },
  ".cm-completionInfo-right-narrow[style^=top]": { top: "100% !important" },
  ".cm-completionInfo-right-narrow[style^=bottom]": { bottom: "100% !important" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    background: "var(--accent)",
    color: "var(--on-accent)",
    forcedColorAdjust: "none",
  },
  ".cm-diagnosticAction": {
    display: "block",
    margin: "0.3rem 0 0.1rem",
    padding: "0.2rem 0.6rem",
    color: "var(--on-accent)",
    backgroundColor: "var(--accent)",
    forcedColorAdjust: "none",
    fontFamily: "inherit",
  },
  ".cm-panels": { color: "var(--ink)", backgroundColor: "var(--raised)" },
});

/** How the editor begins. */
export interface CodeOptions {
  text: string;
  /** Its name for those who do not see it. */
  label: string;
  readOnly?: boolean;
}

/** The editor; its element must be in the page before it is made to be seen. */
export class CodeSource implements Source {
  readonly element = html("div", { class: "code" });
  readonly #frame = html("div", { class: "frame" });
  readonly #tooltips = html("div");
  readonly #view: EditorView;
  readonly #options: CodeOptions;
  readonly #events: SourceEvents;

  constructor(options: CodeOptions, events: SourceEvents) {
    this.#options = options;
    this.#events = events;
    const root = this.element.attachShadow({ mode: "open" });
    const sheet = new CSSStyleSheet();
    // What changes inside the frame moves nothing outside: the page need not be laid out anew.
    sheet.replaceSync(
      ":host { display: block; height: 100%; min-width: 0; } .frame { height: 100%; contain: strict; }",
    );
    root.adoptedStyleSheets = [sheet];
    root.append(this.#frame, this.#tooltips);
    this.#view = new EditorView({ state: this.#begin(options.text), parent: this.#frame, root });
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  get cursor(): number {
    return this.#view.state.selection.main.head;
  }

  get focused(): boolean {
    return this.#view.hasFocus;
  }

  replace(text: string): void {
    const { state } = this.#view;
    this.#view.dispatch({
      changes: { from: 0, to: state.doc.length, insert: text },
      selection: { anchor: 0 },
      scrollIntoView: true,
    });
  }

  edit(edits: readonly TextEdit[]): void {
    const changes = edits.map(({ range, newText }) => ({
      from: range.start.offset,
      to: range.end.offset,
      insert: newText,
    }));
    this.#view.dispatch({ changes, userEvent: "input.form" });
  }

  select({ start, end }: Range): void {
    const { length } = this.#view.state.doc;
    const selection = { anchor: Math.min(start.offset, length), head: Math.min(end.offset, length) };
    const effects = EditorView.scrollIntoView(selection.anchor, { y: "center" });
    this.#view.dispatch({ selection, effects });
    this.#view.focus();
  }

  mendAll(): void {
    fixAll(this.#view);
  }

  destroy(): void {
    this.#view.destroy();
    this.element.remove();
  }

  #begin(doc: string): EditorState {
    return EditorState.create({
      doc,
      extensions: [
        lineNumbers(),
        highlightActiveLineGutter(),
        history(),
        highlightActiveLine(),
        bracketMatching(),
        closeBrackets(),
        indentUnit.of("  "),
        EditorState.tabSize.of(2),
        EditorState.readOnly.of(this.#options.readOnly === true),
        yamlColours,
        stepRetry({ onReport: this.#events.onReport }),
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...completionKeymap]),
        EditorView.contentAttributes.of({ "aria-label": this.#options.label, tabindex: "0" }),
        EditorView.domEventHandlers({ beforeinput: typed }),
        EditorView.updateListener.of(({ selectionSet, view, state }) => {
          if (selectionSet && view.hasFocus) this.#events.onCursor(state.selection.main.head);
        }),
        tooltips({ position: "fixed", parent: this.#tooltips, tooltipSpace: roomForTooltips }),
        looks,
      ],
    });
  }
}

/** The window but for its edges. */
function roomForTooltips(): { left: number; top: number; right: number; bottom: number } {
  return { left: 8, top: 8, right: innerWidth - 8, bottom: innerHeight - 8 };
}

/**
 * Typing, but for compositions and for what goes elsewhere than to the cursor, as a correction does. Left to itself,
 * a browser changes the page and lays it out, and the editor reads from there what was typed and puts it there
 * once more. And Chromium keeps the looks of a selection that is typed over in a style attribute, which a strict
 * policy refuses with a line in the console.
 */
function typed(event: InputEvent, view: EditorView): boolean {
  const { data, inputType, isComposing } = event;
  if (inputType !== "insertText" || data === null || isComposing || view.composing || view.state.readOnly) return false;
  const { from, to } = view.state.selection.main;
  if (!event.getTargetRanges().every((range) => covers(view, range, from, to))) return false;
  // A text of many lines, which comes from no key, is not scrolled to: that may take more rounds than the editor has.
  const scrollIntoView = !data.includes("\n");
  const insert = () =>
    view.state.update(view.state.replaceSelection(data), { userEvent: "input.type", scrollIntoView });
  const handlers = view.state.facet(EditorView.inputHandler);
  if (!handlers.some((handler) => handler(view, from, to, data, insert))) view.dispatch(insert());
  return true;
}

function covers(view: EditorView, range: StaticRange, from: number, to: number): boolean {
  const start = view.posAtDOM(range.startContainer, range.startOffset);
  return start === from && (range.collapsed ? start : view.posAtDOM(range.endContainer, range.endOffset)) === to;
}
