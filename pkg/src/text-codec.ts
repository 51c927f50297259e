/**
 * UTF-8 for hosts that have no codec of their own: the jsdom environment of Jest is one. Only the
 * CommonJS bundles carry it, in place of the global names.
 *
 * @module
 */

class PlainEncoder implements Pick<TextEncoder, "encode" | "encodeInto"> {
  encode(text = ""): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(text.length * 3);
    return bytes.subarray(0, this.encodeInto(text, bytes).written);
  }

  encodeInto(text: string, bytes: Uint8Array): { read: number; written: number } {
    let read = 0;
    let written = 0;
    for (const character of text) {
      const point = character.codePointAt(0) as number;
      const code = isSurrogate(point) ? 0xfffd : point;
      const more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
      if (written + more >= bytes.length) break;
      bytes[written++] = more === 0 ? code : ((0xf80 >> more) & 0xff) | (code >> (6 * more));
      for (let left = more - 1; left >= 0; left--) bytes[written++] = 0x80 | ((code >> (6 * left)) & 0x3f);
      read += character.length;
    }
    return { read, written };
  }
}

/** Decodes what the module writes, which is UTF-8 without fault. */
class PlainDecoder implements Pick<TextDecoder, "decode"> {
  decode(bytes: Uint8Array = new Uint8Array(0)): string {
    let text = "";
    for (let index = 0; index < bytes.length; ) {
      const lead = bytes[index++] as number;
      let more = lead < 0x80 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3;
      let code = more === 0 ? lead : lead & (0x3f >> more);
      for (; more > 0; more--) code = (code << 6) | ((bytes[index++] as number) & 0x3f);
      text += String.fromCodePoint(code);
    }
    return text;
  }
}

function isSurrogate(point: number): boolean {
  return point >= 0xd800 && point < 0xe000;
}

const Encoder = globalThis.TextEncoder ?? PlainEncoder;
const Decoder = globalThis.TextDecoder ?? PlainDecoder;

export { Decoder as TextDecoder, Encoder as TextEncoder, PlainDecoder, PlainEncoder };
