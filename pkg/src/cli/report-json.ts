/**
 * What was found in a file, as the one JSON object of the reference's own `validate --json`.
 *
 * @module
 */

import type { Diagnostic, Report, WorkflowHeading } from "../types.js";
import type { Checked } from "./checked.js";
import { isAccepted, isLoaderError, isLoaderWarning } from "./verdict.js";

/** The object, in the reference's words and key order. */
export interface JsonReport {
  valid: boolean;
  mode: "file";
  path: string;
  workflow_id: string | null;
  loader_version: string;
  schema_version: null;
  error_count: number;
  warning_count: number;
  strict: { requested: boolean; failed: boolean };
  diagnostics: JsonDiagnostic[];
  errors: string[];
  checks_not_run: string[];
  extension_keys: string[];
}

/** One of the loader's warnings. */
export interface JsonDiagnostic {
  code: string;
  severity: "warn" | "error";
  message: string;
  scope: "workflow" | "step";
  key?: string;
  id?: string;
  step?: string;
  did_you_mean?: string;
  line?: number;
  column?: number;
  endLine?: number;
  endColumn?: number;
}

/** The JSON report of `checked`. `version` is ours. */
export function jsonReport(checked: Checked, strict: boolean, version: string): JsonReport {
  if ("failure" in checked) return frame(checked.path, null, strict, version, [], [checked.failure]);
  const { file, report } = checked;
  const diagnostics = report.diagnostics.filter(isLoaderWarning).map((warning) => jsonDiagnostic(warning, report));
  return frame(file.path, report.workflow, strict, version, diagnostics, errorTexts(report));
}

function frame(
  path: string,
  heading: WorkflowHeading | null,
  strict: boolean,
  version: string,
  diagnostics: JsonDiagnostic[],
  errors: string[],
): JsonReport {
  return {
    valid: errors.length === 0,
    mode: "file",
    path,
    workflow_id: heading?.id ?? null,
    loader_version: version,
    schema_version: null,
    error_count: errors.length,
    warning_count: diagnostics.length,
    strict: { requested: strict, failed: strict && errors.length === 0 && diagnostics.length > 0 },
    diagnostics,
    errors,
    checks_not_run: [],
    extension_keys: heading?.extensionKeys ?? [],
  };
}

/** Errors that end the loading at once keep the sentence they are printed with. */
const SINGLE_ERRORS: ReadonlySet<string> = new Set(["WORKFLOW_NOT_A_MAP"]);

function errorTexts(report: Report): string[] {
  const errors = report.diagnostics.filter(isLoaderError);
  if (errors.length > 0)
    return errors.map(({ code, message }) => (SINGLE_ERRORS.has(code) ? `Invalid workflow: ${message}` : message));
  return isAccepted(report) ? [] : [report.summary];
}

function jsonDiagnostic(warning: Diagnostic, report: Report): JsonDiagnostic {
  const severity = warning.severity === "error" ? "error" : "warn";
  const scope = warning.step === undefined ? "workflow" : "step";
  const step = warning.step === undefined ? {} : { step: warning.step };
  if (!isUnknownKey(warning)) {
    const place = isInertGate(warning) ? jsonPlace(warning) : {};
    return { code: warning.code, severity, scope, ...step, message: warning.message, ...place };
  }
  const id = scope === "workflow" && report.workflow?.id != null ? { id: report.workflow.id } : {};
  const meant = warning.suggestion === undefined ? {} : { did_you_mean: warning.suggestion };
  const key = warning.key === undefined ? {} : { key: warning.key };
  return {
    code: warning.code,
    severity,
    message: warning.message,
    scope,
    ...key,
    ...id,
    ...step,
    ...meant,
    ...jsonPlace(warning),
  };
}

function isUnknownKey({ code }: Diagnostic): boolean {
  return /^UNKNOWN_.*_KEY$/.test(code);
}

/** The one piece of advice that has a place: a gate block that nothing reads. */
function isInertGate({ code, path }: Diagnostic): boolean {
  return code === "DEAD_GATE_CONFIG" && path.at(-1) === "gate";
}

function jsonPlace({ range: { start, end } }: Diagnostic) {
  return { line: start.line, column: start.column, endLine: end.line, endColumn: end.column };
}
