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

/** How many of the most frequent bytes are one character. */
const SINGLES = ALPHABET.length - PREFIXES;

/** Each byte in two digits, most frequent first, stands in front of the text. */
const TABLE_LENGTH = 256 * 2;

/** The text for `bytes`. */
export function encode(bytes: Uint8Array): string {
  const counts = new Array<number>(256).fill(0);
  for (const byte of bytes) counts[byte] = (counts[byte] ?? 0) + 1;
  const order = [...counts.keys()].sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0) || a - b);
  const codes = new Array<string>(256);
  order.forEach((byte, rank) => {
    codes[byte] = code(rank);
  });
  const table = order.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return table + Array.from(bytes, (byte) => codes[byte]).join("");
}

/** The bytes that `text` was made from. */
export function decode(text: string): Uint8Array<ArrayBuffer> {
  const order = new Uint8Array(256);
  for (let rank = 0; rank < 256; rank++) order[rank] = Number.parseInt(text.slice(rank * 2, rank * 2 + 2), 16);
  const digits = new Uint8Array(128);
  for (let digit = 0; digit < ALPHABET.length; digit++) digits[ALPHABET.charCodeAt(digit)] = digit;

  const bytes = new Uint8Array(text.length - TABLE_LENGTH);
  let length = 0;
  for (let index = TABLE_LENGTH; index < text.length; index++) {
    const digit = digits[text.charCodeAt(index)] as number;
    let rank = digit - PREFIXES;
    if (digit < PREFIXES) {
      index += 1;
      rank = SINGLES + digit * ALPHABET.length + (digits[text.charCodeAt(index)] as number);
    }
    bytes[length] = order[rank] as number;
    length += 1;
  }
  return bytes.subarray(0, length);
}

function code(rank: number): string {
  if (rank < SINGLES) return ALPHABET.charAt(PREFIXES + rank);
  const pair = rank - SINGLES;
  return ALPHABET.charAt(Math.floor(pair / ALPHABET.length)) + ALPHABET.charAt(pair % ALPHABET.length);
}
