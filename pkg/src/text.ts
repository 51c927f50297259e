/**
 * Texts on their way into the module: written straight into a buffer of its memory, which costs a
 * small part of what passing a string does. A lone surrogate becomes U+FFFD, which is one UTF-16 unit too:
 * offsets stay offsets into the given string.
 *
 * @module
 */

import type { Border } from "./border.js";
import { StepRetryError } from "./errors.js";

/** The longest source, in UTF-16 units or bytes: far above any file, far below what the memory can hold. */
const LONGEST_SOURCE = 2 ** 28;

/** Above this length a text is measured first, so that the buffer is no larger than it must be. */
const SHORT_TEXT = 2 ** 16;

let encoder: TextEncoder | undefined;

/**
 * Writes `source` into the module's text buffer, and `more` behind it. Returns the length in bytes of the
 * source, and of both.
 */
export function writeSource(border: Border, source: string | Uint8Array, more: string): [number, number] {
  if (source.length > LONGEST_SOURCE) {
    throw new StepRetryError("INVALID_ARGUMENT", `'source' may be at most ${LONGEST_SOURCE} characters long`);
  }
  const space = buffer(border, (typeof source === "string" ? capacity(source) : source.length) + capacity(more));
  let length = source.length;
  if (typeof source === "string") length = encode(source, space);
  else space.set(source);
  return [length, length + encode(more, space.subarray(length))];
}

/** Writes `text` into the module's text buffer, and gives its length in bytes. */
export function writeText(border: Border, text: string): number {
  return encode(text, buffer(border, capacity(text)));
}

/** The bytes that `text` needs, or more. */
function capacity(text: string): number {
  return text.length <= SHORT_TEXT ? text.length * 3 : utf8Length(text);
}

function encode(text: string, space: Uint8Array): number {
  encoder ??= new TextEncoder();
  return encoder.encodeInto(text, space).written;
}

function buffer(border: Border, byteLength: number): Uint8Array {
  const start = border.textBuffer(byteLength);
  return new Uint8Array(border.memory.buffer, start, byteLength);
}

/** The length of `text` in UTF-8; a lone surrogate counts as U+FFFD does. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (unit >= 0xd800 && unit < 0xdc00 && isTrail(text.charCodeAt(index + 1))) {
      // A pair: two units, four bytes.
      bytes += 2;
      index += 1;
    } else bytes += 2;
  }
  return bytes;
}

function isTrail(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}
