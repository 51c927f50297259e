// The binary format of WebAssembly, as far as the build looks into it.

export const CUSTOM = 0;
export const TYPE = 1;
const IMPORTS = 2;
export const FUNCTION = 3;
const EXPORTS = 7;
export const CODE = 10;
export const DATA = 11;
export const FUNCTION_NAMES = 1;

/** The bytes before the first section: what the file is, and its version. */
const HEAD = 8;

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
  const reader = new Reader(bytes.subarray(HEAD));
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

/** A module that imports and exports under other names; `rename` gives the one for another, a file's too. */
export function renamed(bytes, rename) {
  const again = (reader) => block(Buffer.from(rename(reader.block().toString())));
  const rest = { [IMPORTS]: importOf, [EXPORTS]: exportOf };
  const parts = sections(bytes).map(([kind, contents]) => {
    if (rest[kind] === undefined) return [kind, contents];
    const reader = new Reader(contents);
    const items = Array.from({ length: reader.number() }, () => rest[kind](reader, again));
    return [kind, Buffer.concat([number(items.length), ...items])];
  });
  return module(bytes, parts);
}

function importOf(reader, again) {
  const names = [again(reader), again(reader)];
  const kind = reader.number();
  if (kind !== 0) throw new Error("the module imports something else than functions");
  return Buffer.concat([...names, number(kind), number(reader.number())]);
}

function exportOf(reader, again) {
  return Buffer.concat([again(reader), number(reader.number()), number(reader.number())]);
}

/** The module of these sections, with the head of `bytes`. */
export function module(bytes, parts) {
  return Buffer.concat([
    bytes.subarray(0, HEAD),
    ...parts.flatMap(([kind, contents]) => [Buffer.from([kind]), block(contents)]),
  ]);
}
