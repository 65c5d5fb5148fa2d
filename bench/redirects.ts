import { atLeast, atMost, type Figure, median, plain } from './figures.ts';
import { type Load, load, visits } from './load.ts';
import { PORTS, type Server, startBare, startTerse } from './process.ts';

export interface RedirectOptions {
  folder: string;
  path: string;
  links: number;
  seconds: number;
  rounds: number;
  tell(text: string): void;
}

/** Number of short codes that are requested repeatedly. All of these links fit into the cache of the service. */
export const POPULAR = 5000;

/**
 * Warm-up time in seconds. When the measurement starts, the code is already JIT-compiled and clicks are counted as
 * fast as they arrive.
 */
const LEAD = { bare: 4, terse: 12 };

/**
 * Compares the service with a server that only redirects and does not count clicks. The two servers are measured
 * alternately. Each round starts new processes, because two processes of the same program can differ in speed by up
 * to an eighth. The measurement of the service takes longer, because the service counts clicks only every few
 * seconds.
 */
export async function measureRedirects({ folder, path, links, seconds, rounds, tell }: RedirectOptions) {
  const run = (port: number) => (length: number) =>
    load({ port, folder, seconds: length, requests: visits(Math.min(links, POPULAR)) });
  const bare: Measured[] = [];
  const terse: Measured[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    tell(`redirects, round ${round} of ${rounds}`);
    bare.push(await measured(await startBare(), LEAD.bare, seconds, run(PORTS.bare)));
    terse.push(await measured(await startTerse(path), LEAD.terse, 3 * seconds, run(PORTS.short)));
  }
  const of = (loads: Measured[], field: keyof Measured) => median(loads.map((one) => one[field]));
  const figures: Figure[] = [
    plain('bare node:http 302, a second', of(bare, 'rate').toFixed(0)),
    atLeast('counted redirect, to bare', of(terse, 'rate') / of(bare, 'rate'), 0.9),
    plain(
      'the same by processor time, which others on the machine do not touch',
      (of(bare, 'timeEach') / of(terse, 'timeEach')).toFixed(2),
    ),
    plain('bare node:http 302, p99', `${of(bare, 'p99').toFixed(1)} ms`),
    atMost('counted redirect, p99', of(terse, 'p99'), 10, ' ms'),
    plain('redirects that failed', String(terse.reduce((sum, { failed }) => sum + failed, 0))),
  ];
  return figures;
}

/** Result of a load test, with the CPU time per response in seconds. */
interface Measured extends Load {
  timeEach: number;
}

async function measured(
  server: Server,
  lead: number,
  seconds: number,
  run: (seconds: number) => Promise<Load>,
): Promise<Measured> {
  await run(lead);
  const before = server.processorTime();
  const result = await run(seconds);
  const timeEach = (server.processorTime() - before) / result.answers;
  await server.stop();
  return { ...result, timeEach };
}
