// Finds the fenced blocks of a Markdown text, and runs them.

import { spawn } from "node:child_process";
import { ROOT } from "./command.mjs";

/** The contents of all blocks in `language`. */
export function blocks(markdown, language) {
  return fences(markdown)
    .filter((fence) => fence.language === language)
    .map(({ content }) => content);
}

/** The blocks in `language` that are followed by a block of text, which is what they print. */
export function snippets(markdown, language) {
  const all = fences(markdown);
  return all.flatMap((fence, index) => {
    const next = all[index + 1];
    return fence.language === language && next?.language === "text"
      ? [{ code: fence.content, prints: next.content }]
      : [];
  });
}

function fences(markdown) {
  return Array.from(markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms), ([, language, content]) => ({ language, content }));
}

/** Runs node with `args` and gives all it printed, stdout and stderr as one. */
export function node(args, input) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: ROOT, env: { PATH: process.env.PATH, LANG: "C.UTF-8" } });
    let printed = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (printed += text));
    child.on("error", reject);
    child.on("close", (code) => resolve({ printed, code }));
    child.stdin.end(input);
  });
}
