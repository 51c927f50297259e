/**
 * Workflow files and what was found in them, whatever it is then printed as.
 *
 * @module
 */

import { validate } from "../index.js";
import type { Report } from "../types.js";
import { Refusal } from "./exit.js";
import { readWorkflow, type WorkflowFile, workflowPath } from "./files.js";

/** A file that was checked, or could not be read. */
export type Checked = CheckedFile | UnreadableFile;

/** A file that was checked. */
export interface CheckedFile {
  file: WorkflowFile;
  report: Report;
}

/** A file that could not be read, and why. */
export interface UnreadableFile {
  path: string;
  failure: string;
}

/** Reads and checks the file that `path` means. */
export async function check(path: string, strict: boolean): Promise<Checked> {
  try {
    return checkText(await readWorkflow(path), strict);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { path: workflowPath(path), failure: error.message };
  }
}

/** Checks a file that was read. */
export function checkText(file: WorkflowFile, strict: boolean): CheckedFile {
  return { file, report: validate(file.text, { strict }) };
}

/** Whether `checked` was read and is valid. */
export function isValid(checked: Checked): boolean {
  return "report" in checked && checked.report.valid;
}
