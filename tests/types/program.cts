// A user's program in CommonJS: compiled against the package's declarations, never run.

import retry = require("step-retry");
import slim = require("step-retry/slim");

const report: retry.Report = retry.validate(new Uint8Array(0));
const steps: retry.StepSummary[] = report.steps;
slim.initSync(new ArrayBuffer(0));
const row: retry.PlanRow | undefined = slim.planRows(steps[0]?.limits ?? {})[0];
row?.waitBeforeMs.max.toFixed();
