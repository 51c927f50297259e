/**
 * How our parts look; every colour can be set through a custom property.
 *
 * @module
 */

import { EditorView } from "@codemirror/view";

const COLOURS = { error: "#c33", warning: "#a66a00", info: "#37c" };
const SIGNS = { error: "✕", warning: "▲", info: "●" };

/** Marks and underlines without the images that the lint package makes: a strict policy would not load them. */
const marks = EditorView.theme({
  // Without icons, what is chosen from begins at the edge.
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "1px 6px" },
  ...Object.fromEntries(
    (["error", "warning", "info"] as const).flatMap((severity) => {
      const color = `var(--step-retry-${severity}, ${COLOURS[severity]})`;
      const line = severity === "info" ? "dotted" : "wavy";
      return [
        [`.cm-lint-marker-${severity}`, { content: "normal", color, fontSize: "0.8em", lineHeight: "1.6" }],
        [`.cm-lint-marker-${severity}::before`, { content: `"${SIGNS[severity]}"` }],
        [
          `.cm-lintRange-${severity}`,
          { backgroundImage: "none", textDecoration: `underline ${line} ${color}`, textDecorationSkipInk: "none" },
        ],
        [`.cm-diagnostic-${severity}`, { borderLeftColor: color }],
      ];
    }),
  ),
});

const parts = EditorView.baseTheme({
  ".cm-step-retry-sentence": {
    boxSizing: "border-box",
    padding: "0 0.75em 0 6px",
    color: "var(--step-retry-quiet, #667)",
    fontFamily: "var(--step-retry-prose, system-ui, sans-serif)",
    fontSize: "0.86em",
    fontStyle: "italic",
    whiteSpace: "pre-wrap",
    // A long sentence is no reason for the text to scroll.
    contain: "inline-size",
    userSelect: "none",
  },
  "&dark .cm-step-retry-sentence": { color: "var(--step-retry-quiet, #a0a7b3)" },
  ".cm-step-retry-sentence.past": { textDecoration: "line-through" },
  ".cm-lintRange": { textDecorationThickness: "1.5px", textUnderlineOffset: "3px" },
  ".cm-tooltip-hover": { maxWidth: "min(34rem, 92vw)" },
  ".cm-step-retry-key": { maxWidth: "26rem", padding: "0.5em 0.75em", lineHeight: "1.4" },
  ".cm-step-retry-key p": { margin: "0.3em 0 0" },
  ".cm-tooltip.cm-step-retry-menu": {
    display: "flex",
    flexDirection: "column",
    maxWidth: "min(32rem, 90vw)",
    maxHeight: "22rem",
    overflow: "auto",
    padding: "0.25em",
  },
  ".cm-step-retry-menu button": {
    padding: "0.35em 0.75em",
    border: "0",
    borderRadius: "4px",
    background: "none",
    color: "inherit",
    font: "inherit",
    textAlign: "start",
    cursor: "pointer",
  },
  ".cm-step-retry-menu button:hover, .cm-step-retry-menu button:focus": {
    background: "var(--step-retry-selected, #8883)",
    outline: "1px solid var(--step-retry-accent, currentColor)",
  },
});

/** The parts' own looks. */
export const theme = [marks, parts];
