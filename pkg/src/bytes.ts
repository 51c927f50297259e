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

/**
 * `decode.wat`, assembled. A loop of JavaScript that runs once is past before any compiler has seen it, and
 * takes thrice as long: docs/size.md.
 */
const DECODER =
  "0061736d0100000001060160017f017f0206010000020001030201000704010000000a55015301037f418003220221010340200020014b0440200220012d0000220341214d047f200141016a22012d00002003411f6b4107746a0520030b2d00003a0000200141016a2101200241016a21020c010b0b20020b";

/** Where the text begins in the decoder's memory, behind the table of what its characters stand for. */
const TEXT_START = (PREFIXES + 1) * ROW;

const PAGE_BYTES = 65536;

/**
 * The bytes that `text` was made from.
 *
 * @throws what the host throws where WebAssembly may not be compiled.
 */
export function decode(text: string): Uint8Array<ArrayBuffer> {
  const textEnd = TEXT_START + text.length - TABLE_LENGTH;
  const memory = new WebAssembly.Memory({ initial: Math.ceil(textEnd / PAGE_BYTES) });
  const bytes = new Uint8Array(memory.buffer);
  codesOf(text).forEach((code, byte) => {
    bytes[place(code)] = byte;
  });
  new TextEncoder().encodeInto(text.slice(TABLE_LENGTH), bytes.subarray(TEXT_START));
  const decoder = new WebAssembly.Module(
    Uint8Array.from(DECODER.match(/../g) ?? [], (hex) => Number.parseInt(hex, 16)),
  );
  const { exports } = new WebAssembly.Instance(decoder, { "": { "": memory } });
  // In place, since no byte is longer than its text.
  const end = (exports as unknown as Decoder)[""](textEnd);
  return bytes.subarray(TEXT_START, end);
}

/** What `decode.wat` exports. */
interface Decoder {
  ""(textEnd: number): number;
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
