// A user's program that moves policies between engines: compiled against the package's declarations,
// never run.

import {
  EXPORT_TARGETS,
  type ExportTarget,
  type ExportVerdict,
  exportPolicy,
  type ImportNote,
  importPolicy,
  isStepRetryError,
  type Loss,
  type PolicyExport,
  type StepLimits,
} from "step-retry/export";

const step: StepLimits = { timeout_seconds: 30, retry: { max_attempts: 3, backoff: "linear" } };
const targets: readonly ExportTarget[] = EXPORT_TARGETS;
const exports: PolicyExport[] = targets.map((target) => exportPolicy(step, target, { name: "fetch" }));

for (const { verdict, losses, text, value, waits } of exports) {
  const worst: ExportVerdict = verdict;
  const first: Loss | undefined = losses[0];
  const late: number[] = waits.map(({ oursMs, theirsMs, theirsMaxMs }) => (theirsMaxMs ?? theirsMs) - oursMs);
  if (worst === "refused" && first?.code === "timeout-retried") throw new Error(text + late + Object.keys(value));
}

try {
  const imported = importPolicy("p-retry", { retries: 3, shouldRetry: () => true });
  const notes: ImportNote[] = imported.notes;
  exportPolicy(imported.step, notes.length > 0 ? "dbos" : "argo");
  // @ts-expect-error There is no such engine.
  exportPolicy(step, "airflow");
  // @ts-expect-error There is no such source.
  importPolicy("airflow", {});
} catch (error) {
  if (isStepRetryError(error)) throw new Error(error.code);
}
