/**
 * Reading settings that are pasted: JSON, or an object as it stands in code. It is read, never run.
 *
 * @module
 */

/** What stands otherwise in code than in JSON; what is in double quotes already is left alone. */
const PIECES =
  /"(?:[^"\\\n]|\\.)*"|'(?<quoted>(?:[^'\\\n]|\\.)*)'|(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(?<key>[A-Za-z_$][\w$]*)(?=\s*:)|(?<number>\d[\d_]*)/g;

const TRAILING_COMMAS = /"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g;

/** The value of `text`. @throws `SyntaxError` where it is neither. */
export function readSettings(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return JSON.parse(asJson(text));
  }
}

function asJson(text: string): string {
  const spelled = text.replace(PIECES, (piece, ...rest) => {
    const { quoted, comment, key, number }: Record<string, string | undefined> = rest.at(-1);
    if (quoted !== undefined) return JSON.stringify(quoted.replace(/\\(.)/g, "$1"));
    if (comment !== undefined) return " ";
    if (key !== undefined) return JSON.stringify(key);
    return number === undefined ? piece : number.replaceAll("_", "");
  });
  return spelled.replace(TRAILING_COMMAS, (piece) => (piece === "," ? "" : piece));
}
