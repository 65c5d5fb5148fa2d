import { median } from '../figures.ts';

/** Medians of two measurements. The measurements alternate, so that the same machine load affects both. */
export interface Compared {
  one: number;
  other: number;
  ratio: number;
}

/**
 * Runs two measurements alternately. The first rounds do not count, because code is still being compiled and caches
 * are empty.
 */
export async function byTurns(
  rounds: number,
  one: () => Promise<number>,
  other: () => Promise<number>,
): Promise<Compared> {
  const warmUp = 3;
  const measured: { one: number; other: number }[] = [];
  for (let round = 0; round < warmUp + rounds; round += 1) {
    const pair = { one: await one(), other: await other() };
    if (round >= warmUp) measured.push(pair);
  }
  const [ones, others] = [median(measured.map((pair) => pair.one)), median(measured.map((pair) => pair.other))];
  return { one: ones, other: others, ratio: ones / others };
}
