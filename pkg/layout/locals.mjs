// Numbers the locals of each function anew, so that gzip finds more that it has seen before. Which number
// a local has means nothing, as long as its type stays. Usage: node pkg/layout/locals.mjs MODULE NEW_MODULE
//
// Function after function: two locals of one type change their numbers, and keep them if the function then
// costs less by a model of gzip that has seen all functions before it. The same module always gives the
// same one: the model counts in doubles, and those are the same everywhere.

import { readFileSync, writeFileSync } from "node:fs";
import { Deflate } from "./deflate.mjs";
import { read, write } from "./wasm-code.mjs";
import { block, CODE, functions, module, number, parameters, sections } from "./wasm-file.mjs";

/** How many pairs times bytes are tried in one function: the largest would take as long as all others. */
const MOST_WORK = 60_000_000;

/** All pairs of locals that may change places; of a large function only those that lie near each other. */
function* pairs(locals, typeOf, bytes) {
  const far = Math.max(8, Math.floor(MOST_WORK / (bytes * locals.length * 8)));
  for (let first = 0; first < locals.length; first++)
    for (let second = first + 1; second < locals.length && second <= first + far; second++)
      if (typeOf(locals[first]) === typeOf(locals[second])) yield [locals[first], locals[second]];
}

/** The body of least cost that is found. */
function numbered(body, parameters, model) {
  const parts = read(body);
  const numberOf = Array.from({ length: parameters + parts.types.length }, (_, index) => index);
  const typeOf = (local) => parts.types[local - parameters];
  const used = new Set(parts.code.filter((part) => typeof part === "number" && part >= parameters));
  let best = { body, cost: model.cost(body) };
  const swap = (first, second) => {
    [numberOf[first], numberOf[second]] = [numberOf[second], numberOf[first]];
  };
  for (const [first, second] of pairs(
    [...used].sort((a, b) => a - b),
    typeOf,
    body.length,
  )) {
    swap(first, second);
    const tried = write(parts, numberOf);
    const cost = model.cost(tried);
    if (cost < best.cost) best = { body: tried, cost };
    else swap(first, second);
  }
  return best.body;
}

const [from, to] = process.argv.slice(2);
const bytes = readFileSync(from);
const { bodies } = functions(bytes);

// What letters and distances cost is known once everything has been seen.
const first = new Deflate();
for (const body of bodies) first.append(body);
const model = new Deflate(first.prices());

const counts = parameters(bytes);
const better = bodies.map((body, index) => {
  const found = numbered(body, counts[index], model);
  model.append(found);
  return found;
});
const code = Buffer.concat([number(better.length), ...better.map((body) => block(body))]);
const result = module(
  bytes,
  sections(bytes).map(([kind, contents]) => [kind, kind === CODE ? code : contents]),
);
if (!WebAssembly.validate(result)) throw new Error("a module came out that is none");
writeFileSync(to, result);
