/**
 * YAML in colours, for the lines that are seen; what a line begins with when Enter is pressed; and what makes
 * a line a comment. A whole grammar would read the file at each keystroke, and cost more than all else.
 *
 * @module
 */

import { indentService } from "@codemirror/language";
import { EditorState, type Extension, RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { readKey } from "../codemirror/read-key.js";
import { type Kind, NOTHING_OPEN, type Open, wordsOf } from "./yaml-words.js";

const COLOURS: Record<Kind, string> = {
  key: "var(--code-key)",
  text: "var(--code-text)",
  value: "var(--code-value)",
  comment: "var(--quiet)",
  mark: "var(--quiet)",
  label: "var(--code-label)",
};

/** Beyond so many characters a line has no colours. */
const LONGEST = 5000;

const KINDS = Object.keys(COLOURS) as Kind[];

const marks = Object.fromEntries(
  KINDS.map((kind) => [kind, Decoration.mark({ class: `cm-yaml-${kind}` })]),
) as unknown as Record<Kind, Decoration>;

const looks = EditorView.theme({
  ...Object.fromEntries(KINDS.map((kind) => [`.cm-yaml-${kind}`, { color: COLOURS[kind] }])),
  ".cm-yaml-comment": { color: COLOURS.comment, fontStyle: "italic" },
});

const colours = ViewPlugin.fromClass(
  class {
    /** What is open before each line, as far as that has been asked for. */
    #open: Open[] = [NOTHING_OPEN];
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = this.#draw(view);
    }

    update(update: ViewUpdate): void {
      const { changes, docChanged, state, view, viewportChanged, viewportMoved } = update;
      if (docChanged && !viewportMoved && this.#drawLine(update)) return;
      if (docChanged) {
        changes.iterChangedRanges((_, __, from) => {
          this.#open.length = Math.min(this.#open.length, state.doc.lineAt(from).number);
        });
      }
      if (docChanged || viewportChanged) this.decorations = this.#draw(view);
    }

    /** Draws the one line that has changed, and tells whether that is enough: whether behind it all is open that was. */
    #drawLine({ changes, startState, state: { doc } }: ViewUpdate): boolean {
      const numbers = new Set<number>();
      changes.iterChangedRanges((_, __, from, to) => {
        numbers.add(doc.lineAt(from).number).add(doc.lineAt(to).number);
      });
      const [number = 0] = numbers;
      const last = this.#open[number];
      if (numbers.size !== 1 || doc.lines !== startState.doc.lines || last === undefined) return false;
      const line = doc.line(number);
      const add = this.#words(line.text, number).map(({ from, to, kind }) =>
        marks[kind].range(line.from + from, line.from + to),
      );
      if (JSON.stringify(this.#open[number]) !== JSON.stringify(last)) return false;
      const anew = { filterFrom: line.from, filterTo: line.to, filter: () => false, add };
      this.decorations = this.decorations.map(changes).update(anew);
      return true;
    }

    #draw({ state: { doc }, visibleRanges }: EditorView): DecorationSet {
      const builder = new RangeSetBuilder<Decoration>();
      let done = 0;
      // A long line can be seen in several ranges.
      for (const { from, to } of visibleRanges) {
        const [first, last] = [Math.max(doc.lineAt(from).number, done + 1), doc.lineAt(to).number];
        for (let number = this.#open.length; number < first; number++) this.#words(doc.line(number).text, number);
        for (let number = first; number <= last; number++) {
          const line = doc.line(number);
          for (const word of this.#words(line.text, number)) {
            builder.add(line.from + word.from, line.from + word.to, marks[word.kind]);
          }
        }
        done = last;
      }
      return builder.finish();
    }

    #words(text: string, number: number) {
      const { words, open } = wordsOf(text.slice(0, LONGEST), this.#open[number - 1] ?? NOTHING_OPEN);
      this.#open[number] = open;
      return words;
    }
  },
  { decorations: ({ decorations }) => decorations },
);

/** Below a key without a value, its block begins: two spaces further in. Else a line begins as the last one. */
const indentation = indentService.of((context, pos) => {
  const { text } = context.lineAt(pos, -1);
  const key = readKey(text);
  const opens = key !== undefined && /^\s*(?:[|>][-+\d]*\s*)?(?:#.*)?$/.test(text.slice(key.valueAt));
  return opens ? key.indent + 2 : undefined;
});

/** YAML, as far as the editor has to know of it. */
export const yamlColours: Extension = [
  colours,
  looks,
  indentation,
  EditorState.languageData.of(() => [{ commentTokens: { line: "#" } }]),
];
