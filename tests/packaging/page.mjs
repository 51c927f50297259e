// Parts of our own pages: what they show is what apps run.

import { readFileSync } from "node:fs";

/** The first block in `language` under a heading; `place` is `page.md#Heading`. */
export function part(place, language) {
  const [page, heading] = place.split("#");
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), "utf8");
  const section = text.split(/^#+ /m).find((section) => section.startsWith(`${heading}\n`));
  const block = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "ms").exec(section ?? "");
  if (block === null) throw new Error(`there is no block in ${language} under '${heading}' in ${page}`);
  return block[1];
}
