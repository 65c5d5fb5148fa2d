import { median } from '../figures.ts';

/** The medians of two things measured by turns, so that both meet the same machine. */
export interface Compared {
  one: number;
  other: number;
  /** How many times the other the one is. */
  ratio: number;
}

/** Measures both by turns; the first rounds, in which everything is still being compiled and cached, do not count. */
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
