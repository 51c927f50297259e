// The binary format of WebAssembly, as far as the build looks into it.

export const CUSTOM = 0;
export const TYPE = 1;
export const FUNCTION = 3;
export const CODE = 10;
export const DATA = 11;
export const FUNCTION_NAMES = 1;

/** Reads numbers of the binary format one after the other. */
export class Reader {
  at = 0;
  constructor(bytes) {
    this.bytes = bytes;
  }
  get done() {
    return this.at >= this.bytes.length;
  }
  number() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes[this.at++];
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }
  /** A stretch with its length before it. */
  block() {
    const length = this.number();
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}

/** A number as {@link Reader} reads it. */
export function number(value) {
  const bytes = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 0x7f) | 0x80);
  }
}

/** Bytes with their length before them, as {@link Reader} reads them. */
export function block(...parts) {
  const bytes = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([number(bytes.length), bytes]);
}

/** A module's sections in their order, as pairs of kind and contents. */
export function sections(bytes) {
  const reader = new Reader(bytes.subarray(8));
  const found = [];
  while (!reader.done) found.push([reader.number(), reader.block()]);
  return found;
}

/** The bodies of a module's functions, and how many imported ones are counted before them. */
export function functions(bytes) {
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(bytes));
  const code = new Reader(sections(bytes).find(([kind]) => kind === CODE)[1]);
  const bodies = Array.from({ length: code.number() }, () => code.block());
  return { imported: imports.filter(({ kind }) => kind === "function").length, bodies };
}

/** How many parameters each of a module's functions has, imported ones left out. */
export function parameters(bytes) {
  const reader = (wanted) => new Reader(sections(bytes).find(([kind]) => kind === wanted)[1]);
  const types = reader(TYPE);
  const counts = Array.from({ length: types.number() }, () => {
    // The byte that says that it is a function's type.
    types.at += 1;
    const count = types.block().length;
    types.block();
    return count;
  });
  const kinds = reader(FUNCTION);
  return Array.from({ length: kinds.number() }, () => counts[kinds.number()]);
}
