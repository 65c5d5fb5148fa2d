import { openStore } from '../backend/src/store/open.ts';
import { codeAt } from './database.ts';
import { median } from './figures.ts';

const ROUNDS = 15;
const PER_ROUND = 20_000;

/** Microseconds of processor time it takes the store to find a link by a random code. */
export async function lookUpTime(path: string, links: number): Promise<number> {
  const store = await openStore({ engine: 'sqlite', path }, Date.now());
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const codes = Array.from({ length: PER_ROUND }, () => codeAt(Math.floor(Math.random() * links)));
    const before = process.cpuUsage();
    for (const code of codes) if (!(await store.links.resolve(code))) throw new Error(`There is no link ${code}.`);
    const { user, system } = process.cpuUsage(before);
    // The first rounds bring the file into the system's memory and the code into its final form.
    if (round >= 5) times.push((user + system) / PER_ROUND);
  }
  await store.close();
  return median(times);
}
