import { median } from '../figures.ts';

/** Medians of two measurements that alternate, so that both see the same machine load. */
export interface Compared {
  one: number;
  other: number;
  /** First median divided by the second. */
  ratio: number;
}

/**
 * Measures both alternately. The first rounds do not count, because code is still being compiled and caches are
 * empty.
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
