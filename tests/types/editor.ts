// A page that shows an editor and the element: compiled against the package's declarations, never run.

import type { Extension } from "@codemirror/state";
import { EditorView, type KeyBinding } from "@codemirror/view";
import type { Report } from "step-retry";
import { goToStep, reportOf, stepAt, stepRetry, stepRetryKeymap } from "step-retry/codemirror";
import { type PlaygroundChange, StepRetryPlayground } from "step-retry/element";

const extension: Extension = stepRetry({
  strict: true,
  sentences: false,
  onReport: (report: Report) => report.summary,
});
const keys: readonly KeyBinding[] = stepRetryKeymap;
const view = new EditorView({ extensions: [extension, keys.length === 0 ? [] : extension] });
const report: Report | undefined = reportOf(view.state);
const step = stepAt(view.state, 0);
if (step !== undefined && report !== undefined) goToStep(view, step);

const element: StepRetryPlayground = document.createElement("step-retry-playground");
element.source = "id: w\n";
element.addEventListener("step-retry-change", (event) => {
  const { source } = (event as CustomEvent<PlaygroundChange>).detail;
  source.trim();
});
if (element instanceof StepRetryPlayground) element.step.trim();

// @ts-expect-error: no such option
stepRetry({ strickt: true });
// @ts-expect-error: a source is a text
element.source = 5;
