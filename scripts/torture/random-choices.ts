/** Random choices from a seed. The same seed produces the same choices in the same order. */
export interface Chance {
  /** Returns a number in [0, 1). */
  next(): number;
  /** Returns an integer from `least` to `most`, inclusive. */
  between(least: number, most: number): number;
  pick<T>(from: readonly [T, ...T[]]): T;
}

/**
 * Creates a pseudorandom number generator with the Mulberry32 algorithm, which is not cryptographically secure.
 * https://github.com/bryc/code/blob/master/jshash/PRNGs.md#mulberry32
 */
export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return { next, between, pick: (from) => from[between(0, from.length - 1)] ?? from[0] };
}
