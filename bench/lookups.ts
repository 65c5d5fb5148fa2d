import { openStore } from '../backend/src/store/open-store.ts';
import { codeAt } from './database.ts';
import { median } from './figures.ts';

const ROUNDS = 15;
const PER_ROUND = 20_000;

/** Number of lookups that run concurrently, as in a service under heavy load. */
export const TOGETHER = 20;

/** Returns the CPU time in microseconds per lookup of a random short code when several lookups run concurrently. */
export async function lookUpTime(path: string, links: number): Promise<number> {
  const store = await openStore({ engine: 'sqlite', path }, Date.now());
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const batches = Array.from({ length: PER_ROUND / TOGETHER }, () => someCodes(links));
    const before = process.cpuUsage();
    for (const codes of batches) {
      const found = await Promise.all(codes.map(store.links.resolve));
      if (found.includes(null)) throw new Error(`A link of ${codes} is missing.`);
    }
    const { user, system } = process.cpuUsage(before);
    // The first rounds only fill the page cache and compile the code.
    if (round >= 5) times.push((user + system) / PER_ROUND);
  }
  await store.close();
  return median(times);
}

const someCodes = (links: number): string[] =>
  Array.from({ length: TOGETHER }, () => codeAt(Math.floor(Math.random() * links)));
