// Finds the fenced blocks of a Markdown text.

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
