/**
 * Files from and to the visitor's disk.
 *
 * @module
 */

import { PAGE } from "../../pkg/src/element/texts.js";
import { MOST_TEXT } from "./link.js";

/** How a text is written in a file: what stands before it, and how its lines end. */
export interface FileShape {
  mark: string;
  lineBreak: string;
}

export const PLAIN_SHAPE: FileShape = { mark: "", lineBreak: "\n" };

const BYTE_ORDER_MARK = "\uFEFF";

/** The text that a file holds as `content`, with `\n` at the end of each line, and what the file has of its own. */
export function fromFile(content: string): { text: string; shape: FileShape } {
  const mark = content.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  const lineBreak = /\r\n?|\n/.exec(content)?.[0] ?? "\n";
  return { text: content.slice(mark.length).replace(/\r\n?/g, "\n"), shape: { mark, lineBreak } };
}

/** What a file of that shape holds for `text`. */
export function written(text: string, { mark, lineBreak }: FileShape): string {
  return mark + text.replaceAll("\n", lineBreak);
}

/** Whether the lines of `content` end in several ways, of which only the first is kept. */
export function hasMixedEnds(content: string): boolean {
  const { text, shape } = fromFile(content);
  return written(text, shape) !== content;
}

/** The text of `file`, or why it is not opened. */
export async function readFile(file: File): Promise<{ text: string } | { problem: string }> {
  if (file.size > MOST_TEXT) return { problem: PAGE.tooLong(Math.ceil(file.size / 1e5) / 10) };
  let bytes: ArrayBuffer;
  try {
    bytes = await file.arrayBuffer();
  } catch {
    return { problem: PAGE.unreadable };
  }
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { problem: PAGE.notText };
  }
}

/** Hands `text` to the visitor as a file called `name`. */
export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/yaml" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** Calls `take` with the file that is dropped on the page, or `refuse` with why what is dropped is none. */
export function onDrop(take: (file: File) => void, refuse: (problem: string) => void): void {
  const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") === true;
  const mark = (over: boolean) => document.body.classList.toggle("dropping", over);
  // Before the editor sees it: that would put the file's text where the pointer is.
  const over = (event: DragEvent) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    mark(true);
  };
  addEventListener("dragover", over, true);
  addEventListener("dragleave", (event) => event.relatedTarget === null && mark(false), true);
  addEventListener(
    "drop",
    (event) => {
      mark(false);
      const [file, ...others] = event.dataTransfer?.files ?? [];
      if (file === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      if (others.length > 0) refuse(PAGE.several);
      else if (event.dataTransfer?.items[0]?.webkitGetAsEntry()?.isDirectory === true) refuse(PAGE.folder);
      else take(file);
    },
    true,
  );
}
