/**
 * What the words of a line of YAML are, for colours. It goes line by line, so that a keystroke costs no more
 * than the lines that are seen.
 *
 * @module
 */

/** What a word is. */
export type Kind = "key" | "text" | "value" | "comment" | "mark" | "label";

/** A word and where it stands in its line. */
export interface Word {
  from: number;
  to: number;
  kind: Kind;
}

/** What is still open at the end of a line. */
export interface Open {
  /** The quote that a text is in. */
  quote: "" | '"' | "'";
  /** How deep it is in brackets. */
  depth: number;
  /** The indentation of the key whose value is a text of several lines; -1 where there is none. */
  block: number;
}

/** At the start of a file nothing is open. */
export const NOTHING_OPEN: Open = { quote: "", depth: 0, block: -1 };

/** Up to the quote that ends a text, or the end of the line. */
const QUOTED = { '"': /(?:[^"\\]|\\.)*(?:"|\\?$)/y, "'": /(?:[^']|'')*(?:'|$)/y };
const PLAIN = /(?:[^\s:]|:(?!\s|$)|[ \t]+(?![\s#]|$))+/y;
const PLAIN_IN_BRACKETS = /(?:[^\s:,[\]{}]|:(?![\s,[\]{}]|$)|[ \t]+(?![\s#,[\]{}]|$))+/y;

/** Everything else that a word can be, the first that fits. */
const WORDS: readonly (readonly [pattern: RegExp, kind: Kind | undefined])[] = [
  [/[ \t]+/y, undefined],
  [/#.*/y, "comment"],
  [/(?:---|\.\.\.)(?=\s|$)|[-?](?=\s|$)|[[\]{},]|:(?=[\s,[\]{}]|$)/y, "mark"],
  [/(?:[&*]|!<?)[^\s,[\]{}]*/y, "label"],
  [/[|>][-+0-9]*(?=\s*(?:#.*)?$)/y, "mark"],
];

const COLON_FOLLOWS = /\s*:(?:\s|$)/y;
const VALUE = /^(?:~|null|true|false|[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|0x[\da-f]+|0o[0-7]+|[-+]?\.inf|\.nan)$/i;
const DEEPER: Record<string, number> = { "[": 1, "{": 1, "]": -1, "}": -1 };

function match(pattern: RegExp, line: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(line)?.[0] ?? "";
}

/** The words of `line`, before which `open` was open, and what is open after it. */
export function wordsOf(line: string, open: Open): { words: Word[]; open: Open } {
  const indent = line.search(/\S|$/);
  const isBlank = indent === line.length;
  if (open.block >= 0 && (isBlank || indent > open.block)) {
    return { words: isBlank ? [] : [{ from: indent, to: line.length, kind: "text" }], open };
  }
  const words: Word[] = [];
  let { quote, depth } = open;
  let block = -1;
  for (let at = quote === "" ? 0 : indent; at < line.length; ) {
    const from = at;
    let kind: Kind | undefined;
    const next = line[at] ?? "";
    if (quote !== "" || next === '"' || next === "'") {
      if (quote === "") {
        quote = next as '"' | "'";
        at += 1;
      }
      const rest = match(QUOTED[quote], line, at);
      at += rest.length;
      if (rest.endsWith(quote)) quote = "";
      kind = quote === "" && match(COLON_FOLLOWS, line, at) !== "" ? "key" : "text";
    } else {
      const found = WORDS.find(([pattern]) => match(pattern, line, from) !== "");
      const word = match(found?.[0] ?? (depth > 0 ? PLAIN_IN_BRACKETS : PLAIN), line, at) || next;
      at += word.length;
      kind = found === undefined ? plainKind(word, line, at) : found[1];
      depth = Math.max(0, depth + (kind === "mark" ? (DEEPER[word] ?? 0) : 0));
      if (kind === "mark" && /^[|>]/.test(word)) block = indent;
    }
    if (kind !== undefined) words.push({ from, to: at, kind });
  }
  return { words, open: { quote, depth, block } };
}

function plainKind(word: string, line: string, end: number): Kind {
  if (match(COLON_FOLLOWS, line, end) !== "") return "key";
  return VALUE.test(word) ? "value" : "text";
}
