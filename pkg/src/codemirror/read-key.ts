/**
 * The key that a line of YAML begins with.
 *
 * @module
 */

/** A line's key: its indentation, the dash of a list before it, the key, its colon. */
const KEY = /^([ ]*)((?:-[ ]+)*)(?:"([^"]*)"|'([^']*)'|([^\s#:,[\]{}&*!|>'"%@`-][^#:]*?|[^\s]))[ ]*:(?=\s|$)/;

/** A key as it stands in its line. */
export interface KeyLine {
  /** How far it is indented, the dash of a list counted. */
  indent: number;
  name: string;
  /** Where in the line the value begins: just behind the colon. */
  valueAt: number;
}

/** The key that `text` begins with. */
export function readKey(text: string): KeyLine | undefined {
  const found = KEY.exec(text);
  if (found === null) return undefined;
  const [whole, spaces = "", dashes = "", double, single, plain] = found;
  return { indent: spaces.length + dashes.length, name: double ?? single ?? plain ?? "", valueAt: whole.length };
}
