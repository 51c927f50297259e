// Chance that can be had again: the same seed draws the same.

/** Draws made from `seed` (mulberry32). */
export function random(seed) {
  let state = seed >>> 0;
  const unit = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (below) => Math.floor(unit() * below);
  return { unit, whole, chance: (share) => unit() < share, pick: (list) => list[whole(list.length)] };
}
