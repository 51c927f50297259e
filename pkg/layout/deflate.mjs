// What bytes would cost in gzip: the window, the chains and the codes of deflate, without its bits.

const WINDOW = 32_768;
const SHORTEST = 3;
const LONGEST = 258;
/** How many earlier places are looked at. More would find more, and take as much longer. */
const TRIED = 16;
const HASHES = 1 << 16;
/** More than any module of ours has. */
const MOST_BYTES = 1 << 22;

/** The codes of lengths and distances, and how many bits follow each. */
const LENGTH_BASES = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
];
const LENGTH_BITS = LENGTH_BASES.map((_, code) => (code < 8 || code === 28 ? 0 : (code >> 2) - 1));
const DISTANCES = 30;
const LENGTH_CODES = Array.from({ length: LONGEST + 1 }, (_, length) =>
  LENGTH_BASES.findLastIndex((base) => base <= length),
);

function distanceCode(distance) {
  if (distance < 5) return distance - 1;
  const bits = 31 - Math.clz32(distance - 1);
  return 2 * bits + (((distance - 1) >> (bits - 1)) & 1);
}
const distanceBits = (code) => (code < 4 ? 0 : (code >> 1) - 1);

/** Bits of each symbol by how often it was seen. */
function pricesOf(...counts) {
  const total = counts.flatMap((list) => [...list]).reduce((sum, count) => sum + count);
  return counts.map((list) => list.map((count) => -Math.log2(count / total)));
}

/** No symbol is for ever unseen. */
const unseen = (length) => new Float64Array(length).fill(0.3);

/** What gzip has seen, and what more would cost. */
export class Deflate {
  #bytes = new Uint8Array(MOST_BYTES);
  #length = 0;
  /** The last place of each hash, and before each place the one with the same hash. */
  #heads = new Int32Array(HASHES).fill(-1);
  #before = new Int32Array(MOST_BYTES);
  /** The hashes that were put in after all that is kept, each with the place it had before. */
  #added = [];
  #seen = { literals: unseen(256), lengths: unseen(LENGTH_BASES.length), distances: unseen(DISTANCES) };
  #prices;

  /** With the bits of each symbol; before they are known, with what is usual. */
  constructor(prices) {
    this.#prices = prices ?? {
      literals: new Float64Array(256).fill(6.5),
      lengths: new Float64Array(LENGTH_BASES.length).fill(6),
      distances: new Float64Array(DISTANCES).fill(4.5),
    };
  }

  /** Bits for `bytes` after all that was appended. */
  cost(bytes) {
    let bits = 0;
    for (const symbol of this.#symbols(bytes)) bits += symbol.bits;
    for (const [hash, place] of this.#added.reverse()) this.#heads[hash] = place;
    this.#added = [];
    return bits;
  }

  append(bytes) {
    for (const { literal, long, far } of this.#symbols(bytes)) {
      if (long === undefined) this.#seen.literals[literal]++;
      else {
        this.#seen.lengths[long]++;
        this.#seen.distances[far]++;
      }
    }
    this.#added = [];
    this.#length += bytes.length;
  }

  /** Bits of each symbol, from how often it was used so far. */
  prices() {
    const { literals, lengths, distances } = this.#seen;
    const [literalBits, lengthBits] = pricesOf(literals, lengths);
    return { literals: literalBits, lengths: lengthBits, distances: pricesOf(distances)[0] };
  }

  /** `bytes` as gzip would tell them: single bytes, and stretches that stood there before. */
  *#symbols(added) {
    const bytes = this.#bytes;
    bytes.set(added, this.#length);
    const end = this.#length + added.length;
    for (let at = this.#length; at < end; ) {
      const single = { literal: bytes[at], length: 1, bits: this.#prices.literals[bytes[at]] };
      const symbol = this.#match(at, end) ?? single;
      yield symbol;
      for (const next = at + symbol.length; at < next; at++) if (at + SHORTEST <= end) this.#put(at);
    }
  }

  /** The longest earlier stretch that goes on as the bytes at `at` do, where it costs less than they do. */
  #match(at, end) {
    const { length, distance } = this.#longest(at, Math.min(LONGEST, end - at));
    if (length < SHORTEST) return undefined;
    const { literals, lengths, distances } = this.#prices;
    const [long, far] = [LENGTH_CODES[length], distanceCode(distance)];
    const bits = lengths[long] + LENGTH_BITS[long] + distances[far] + distanceBits(far);
    let singly = 0;
    for (let nth = 0; nth < length; nth++) singly += literals[this.#bytes[at + nth]];
    return bits < singly ? { long, far, length, bits } : undefined;
  }

  #longest(at, most) {
    const bytes = this.#bytes;
    let found = { length: 0, distance: 0 };
    if (most < SHORTEST) return found;
    let earlier = this.#heads[this.#hash(at)];
    for (let tries = 0; earlier >= 0 && at - earlier <= WINDOW && tries < TRIED; tries++) {
      let length = 0;
      while (length < most && bytes[earlier + length] === bytes[at + length]) length++;
      if (length > found.length) found = { length, distance: at - earlier };
      earlier = this.#before[earlier];
    }
    return found;
  }

  #put(at) {
    const hash = this.#hash(at);
    this.#added.push([hash, this.#heads[hash]]);
    this.#before[at] = this.#heads[hash];
    this.#heads[hash] = at;
  }

  #hash(at) {
    const bytes = this.#bytes;
    return (((bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16)) * 0x9e3779b1) >>> 16) % HASHES;
  }
}
