/**
 * Workflow files as the command finds and reads them.
 *
 * @module
 */

import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Refusal } from "./exit.js";

/** A workflow file and where it was found. */
export interface WorkflowFile {
  /** The file's path, as the messages name it. */
  path: string;
  /** Its text. */
  text: string;
}

/** The file that `path` means: itself if it ends in `.yaml` or `.yml`, else the `workflow.yaml` of that folder. */
export function workflowPath(path: string): string {
  return /\.ya?ml$/.test(path) ? path : join(path, "workflow.yaml");
}

/**
 * Reads the file that `path` means.
 *
 * @throws {Refusal} when it cannot be read or is not UTF-8.
 */
export async function readWorkflow(path: string): Promise<WorkflowFile> {
  const file = workflowPath(path);
  return { path: file, text: decode(file, await readBytes(file)) };
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new Refusal(`Failed to read workflow file: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function decode(path: string, bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  throw new Refusal(`NOT_UTF8: '${path}' is not UTF-8 text (line ${firstBadLine(bytes)}); save it as UTF-8`);
}

/** The line of the first byte that is no UTF-8: found by halving, since a prefix is bad exactly when it reaches that byte. */
function firstBadLine(bytes: Buffer): number {
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (beginsAsUtf8(bytes.subarray(0, middle))) good = middle;
    else bad = middle;
  }
  return bytes.subarray(0, good).toString("latin1").split(/\r\n|\r|\n/).length;
}

function beginsAsUtf8(prefix: Buffer): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(prefix, { stream: true });
    return true;
  } catch {
    return false;
  }
}
