/**
 * Files from and to the visitor's disk.
 *
 * @module
 */

import { PAGE } from "../../pkg/src/element/texts.js";
import { MOST_TEXT } from "./link.js";

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
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
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
