// Names the functions of a module so that in the order of their names those that are much alike stand side
// by side, where gzip sees it. Usage: node pkg/layout/order.mjs MODULE NAMED_MODULE
//
// After each function comes the one that shares most sequences of bytes with those just before it. The same
// module always gives the same order: sums and roots of doubles are the same everywhere.

import { readFileSync, writeFileSync } from "node:fs";
import { block, CUSTOM, FUNCTION_NAMES, functions, module, number, Reader, sections } from "./wasm-file.mjs";

/** How many bytes a sequence has. */
const LENGTH = 4;
/** A sequence in more functions than this says nothing about any. */
const COMMON = 200;
/** What is left of a likeness with each function that comes between. */
const FADING = 0.85;
/** So that the shortest functions are not like everything. */
const SHORTEST = 20;

/** The different sequences in a function's body. */
function sequences(body) {
  const found = new Set();
  for (let at = 0; at + LENGTH <= body.length; at++) found.add(body.readInt32LE(at));
  return found;
}

/** The numbers of the functions in the order sought, from the longest on. */
function order(bodies) {
  const sequencesOf = bodies.map(sequences);
  const holders = new Map();
  sequencesOf.forEach((found, index) => {
    for (const sequence of found) holders.set(sequence, [...(holders.get(sequence) ?? []), index]);
  });
  const likeness = new Float64Array(bodies.length);
  const left = new Set(bodies.keys());
  const placed = [];
  const better = (score) => (best, index) => (score(index) > score(best) ? index : best);
  let next = [...left].reduce(better((index) => bodies[index].length));
  while (left.delete(next) && placed.push(next) < bodies.length) {
    for (const index of left) likeness[index] *= FADING;
    for (const sequence of sequencesOf[next]) {
      const same = holders.get(sequence);
      if (same.length <= COMMON) for (const index of same) likeness[index] += 1 / Math.sqrt(same.length);
    }
    next = [...left].reduce(better((index) => likeness[index] / Math.sqrt(sequencesOf[index].size + SHORTEST)));
  }
  return placed;
}

/** The section that gives each function, imported ones too, a name by its place. */
function nameSection(places) {
  const names = places.map((place, index) => [number(index), block(Buffer.from(`${place}`.padStart(6, "0")))]);
  return Buffer.concat([
    block(Buffer.from("name")),
    Buffer.from([FUNCTION_NAMES]),
    block(number(places.length), ...names.flat()),
  ]);
}

const [from, to] = process.argv.slice(2);
const bytes = readFileSync(from);
const { imported, bodies } = functions(bytes);
const places = Array.from({ length: imported + bodies.length }, (_, index) => index);
order(bodies).forEach((index, place) => {
  places[imported + index] = imported + place;
});
const isNames = ([kind, contents]) => kind === CUSTOM && new Reader(contents).block().toString() === "name";
const kept = sections(bytes).filter((section) => !isNames(section));
writeFileSync(to, module(bytes, [...kept, [CUSTOM, nameSection(places)]]));
