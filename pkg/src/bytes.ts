/**
 * Bytes as text that a JavaScript file can carry.
 *
 * The most frequent bytes are one character each and all others two, out of characters that need no
 * escape anywhere. Since equal stretches of bytes stay equal stretches of text, gzip and brotli
 * make of it what they make of the bytes themselves; base64 would cost a third more. Figures:
 * docs/size.md.
 *
 * @module
 */

/** Printable ASCII without quotes, backslash, `$` and `<`, which mean something in sources and pages. */
const ALPHABET = " !#%&()*+,-./0123456789:;=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_abcdefghijklmnopqrstuvwxyz{|}~";

/** The first two characters are no bytes: they start a pair. */
const PREFIXES = 2;

const FIRST_PREFIX = ALPHABET.charCodeAt(0);
const LAST_PREFIX = ALPHABET.charCodeAt(PREFIXES - 1);

/** Above every character's code. */
const ROW = 128;

/** How many of the most frequent bytes are one character. */
const SINGLES = ALPHABET.length - PREFIXES;

/** Which bytes are one character: a bit for each, four to a hexadecimal digit, in front of the text. */
const TABLE_LENGTH = 256 / 4;

/** The text for `bytes`. */
export function encode(bytes: Uint8Array): string {
  const counts = new Array<number>(256).fill(0);
  for (const byte of bytes) counts[byte] = (counts[byte] ?? 0) + 1;
  const frequent = [...counts.keys()].sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0) || a - b).slice(0, SINGLES);
  const table = Array.from({ length: TABLE_LENGTH }, (_, digit) =>
    [0, 1, 2, 3].reduce((bits, bit) => bits | (frequent.includes(digit * 4 + bit) ? 1 << bit : 0), 0).toString(16),
  ).join("");
  const codes = codesOf(table);
  return table + Array.from(bytes, (byte) => codes[byte]).join("");
}

/** The bytes that `text` was made from. */
export function decode(text: string): Uint8Array<ArrayBuffer> {
  const byteOf = new Uint8Array((PREFIXES + 1) * ROW);
  codesOf(text).forEach((code, byte) => {
    byteOf[place(code)] = byte;
  });

  // In place, since no byte is longer than its text. This loop is most of what the first call costs
  // in JavaScript: it runs once, before any compiler has seen it.
  const bytes = new TextEncoder().encode(text.slice(TABLE_LENGTH));
  let length = 0;
  for (let index = 0; index < bytes.length; index++) {
    let at = bytes[index] as number;
    if (at <= LAST_PREFIX) {
      index += 1;
      at = (at - FIRST_PREFIX + 1) * ROW + (bytes[index] as number);
    }
    bytes[length] = byteOf[at] as number;
    length += 1;
  }
  return bytes.subarray(0, length);
}

/** Where the table of {@link decode} has the byte of `code`: one row for single characters, one for each prefix. */
function place(code: string): number {
  if (code.length === 1) return code.charCodeAt(0);
  return (code.charCodeAt(0) - FIRST_PREFIX + 1) * ROW + code.charCodeAt(1);
}

/** The code of each byte, after the table in front of a text. */
function codesOf(text: string): string[] {
  let singles = PREFIXES;
  let pairs = 0;
  return Array.from({ length: 256 }, (_, byte) => {
    if ((Number.parseInt(text.charAt(byte >> 2), 16) >> (byte & 3)) & 1) return ALPHABET.charAt(singles++);
    const code = ALPHABET.charAt(Math.floor(pairs / ALPHABET.length)) + ALPHABET.charAt(pairs % ALPHABET.length);
    pairs += 1;
    return code;
  });
}
