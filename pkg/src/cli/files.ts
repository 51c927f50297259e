/**
 * Workflow files as the command finds, reads and writes them.
 *
 * @module
 */

import { isUtf8 } from "node:buffer";
import { chmod, readdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { Refusal } from "./exit.js";

/** A workflow file and where it was found. */
export interface WorkflowFile {
  /** The file's path, as the messages name it. */
  path: string;
  /** Its text. */
  text: string;
}

/** The path that means standard input. */
export const STDIN = "-";
const STDIN_NAME = "<stdin>";

/** The file that `path` means: itself if it ends in `.yaml` or `.yml`, else the `workflow.yaml` of that folder. */
export function workflowPath(path: string): string {
  if (path === STDIN) return STDIN_NAME;
  return /\.ya?ml$/.test(path) ? path : join(path, "workflow.yaml");
}

/**
 * Reads the file that `path` means.
 *
 * @throws {Refusal} when it cannot be read or is not UTF-8.
 */
export async function readWorkflow(path: string): Promise<WorkflowFile> {
  const file = workflowPath(path);
  return { path: file, text: decode(file, path === STDIN ? await buffer(process.stdin) : await readBytes(file)) };
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new Refusal(`Failed to read workflow file: ${reason(error)}`);
  }
}

/**
 * The workflow files in `folder` and below, in order of their paths. Links are not followed;
 * installed packages and hidden folders are not looked into.
 *
 * @throws {Refusal} when the folder cannot be read or has none.
 */
export async function findWorkflows(folder: string): Promise<string[]> {
  const found = await walk(folder);
  if (found.length === 0) throw new Refusal(`There is no workflow.yaml in '${folder}' or below it`);
  return found;
}

async function walk(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw new Refusal(`Failed to look for workflow files: ${reason(error)}`);
  });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const found: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== "node_modules" && !entry.name.startsWith("."))
      found.push(...(await walk(path)));
    if (entry.isFile() && /^workflow\.ya?ml$/.test(entry.name)) found.push(path);
  }
  return found;
}

/**
 * Puts `text` in place of what is at `path`, all of it or nothing: it is written beside and then moved.
 *
 * @throws {Refusal} when it cannot be written; the file is then as it was.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  let temporary: string | undefined;
  try {
    const target = await realpath(path);
    const { mode } = await stat(target);
    temporary = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`);
    await writeFile(temporary, text, { flag: "wx", flush: true });
    await chmod(temporary, mode);
    await rename(temporary, target);
  } catch (error) {
    if (temporary !== undefined) await rm(temporary, { force: true });
    throw new Refusal(`Failed to write '${path}': ${reason(error)}`);
  }
}

/**
 * Writes `text` to `path`, in place of what is there.
 *
 * @throws {Refusal} when it cannot be written.
 */
export async function writeText(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (error) {
    throw new Refusal(`Failed to write '${path}': ${reason(error)}`);
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
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
  return bytes
    .subarray(0, good)
    .toString("latin1")
    .split(/\r\n|\r|\n/).length;
}

function beginsAsUtf8(prefix: Buffer): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(prefix, { stream: true });
    return true;
  } catch {
    return false;
  }
}
