// A function's body in the binary format, taken apart at its locals and put together with others.

import { number, Reader } from "./wasm-file.mjs";

const LOCAL_GET = 0x20;
const LOCAL_TEE = 0x22;

/** How many numbers follow an opcode; those that are not here have none. */
const NUMBERS = new Map([
  ...[0x02, 0x03, 0x04, 0x0c, 0x0d, 0x10, 0x12, 0x23, 0x24, 0x25, 0x26, 0x3f, 0x40].map((opcode) => [opcode, 1]),
  ...[0x41, 0x42, 0xd0, 0xd2].map((opcode) => [opcode, 1]),
  ...[0x11, 0x13].map((opcode) => [opcode, 2]),
  ...Array.from({ length: 0x3e - 0x28 + 1 }, (_, index) => [0x28 + index, 2]),
]);
const BR_TABLE = 0x0e;
const SELECT_OF_TYPES = 0x1c;
const F32_CONST = 0x43;
const F64_CONST = 0x44;
const PREFIXED = 0xfc;
/** The same for what follows the prefix; below that number none has any. */
const PREFIXED_NUMBERS = [2, 1, 2, 1, 2, 1, 2, 1, 1, 1];
const FIRST_WITH_NUMBERS = 8;

/** Goes over what follows `opcode`. */
function skip(reader, opcode) {
  const numbers = (count) => {
    for (let nth = 0; nth < count; nth++) reader.number();
  };
  if (opcode === BR_TABLE) numbers(reader.number() + 1);
  else if (opcode === SELECT_OF_TYPES) numbers(reader.number());
  else if (opcode === F32_CONST) reader.at += 4;
  else if (opcode === F64_CONST) reader.at += 8;
  else if (opcode === PREFIXED) numbers(PREFIXED_NUMBERS[reader.number() - FIRST_WITH_NUMBERS] ?? 0);
  else if (opcode < 0xc5 || opcode === 0xd0 || opcode === 0xd1 || opcode === 0xd2) numbers(NUMBERS.get(opcode) ?? 0);
  else throw new Error(`the opcode 0x${opcode.toString(16)} is not known here`);
}

/**
 * The types of a body's own locals in their order, and its code: stretches of bytes, and between them
 * the numbers of locals.
 */
export function read(body) {
  const reader = new Reader(body);
  const types = [];
  for (let groups = reader.number(); groups > 0; groups--) {
    const count = reader.number();
    types.push(...new Array(count).fill(body[reader.at++]));
  }
  const declared = body.subarray(0, reader.at);
  const code = [];
  let from = reader.at;
  while (!reader.done) {
    const opcode = body[reader.at++];
    if (opcode < LOCAL_GET || opcode > LOCAL_TEE) {
      skip(reader, opcode);
      continue;
    }
    code.push(body.subarray(from, reader.at), reader.number());
    from = reader.at;
  }
  code.push(body.subarray(from));
  return { types, declared, code };
}

/** The body again, each local with the number that `numberOf` gives it. */
export function write({ declared, code }, numberOf) {
  return Buffer.concat([declared, ...code.map((part) => (typeof part === "number" ? number(numberOf[part]) : part))]);
}
