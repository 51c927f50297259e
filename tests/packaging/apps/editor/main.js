// What docs/editor.md shows, in a page that Vite makes.
import { EditorView } from "codemirror";
import html from "./element.html?raw";
import { show } from "./show.js";
import { seen, touch } from "./touch.js";
import "./editor.js";
import "step-retry/element";

const STEP = `  pull:
    description: Pull the parcels.
    execution: auto
    handler: pull
    retry:
      max_attempts: 0
`;

async function edit() {
  const view = EditorView.findFromDOM(document.querySelector("#editor"));
  view.dispatch({ changes: { from: view.state.doc.length, insert: STEP } });
  const mark = await seen(() => view.dom.querySelector(".cm-lintRange-error"));
  return { underlined: mark.textContent };
}

show(Promise.all([edit(), touch(html)]).then((told) => JSON.stringify(Object.assign({}, ...told))));
