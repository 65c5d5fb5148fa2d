import { setTimeout as sleep } from 'node:timers/promises';
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

/** Codes asked for over and over: they all fit the cache, as those of a service under load mostly do. */
const POPULAR = 5000;

/** A little longer than the thread that counts clicks ever rests, in milliseconds. */
const UNTIL_COUNTED = 16_000;

/**
 * Counted redirects beside a bare server's, by turns, so that both meet the same machine. Clicks are counted some seconds
 * after they are answered: so the service is measured while it counts as many as come, and the bare server once all are
 * counted.
 */
export async function measureRedirects({ folder, path, links, seconds, rounds, tell }: RedirectOptions) {
  const bare = await startBare();
  const terse = await startTerse(path);
  const requests = visits(Math.min(links, POPULAR));
  const run = (port: number, length: number) => load({ port, folder, seconds: length, requests });
  const pairs: { bare: Measured; terse: Measured }[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    tell(`redirects, round ${round} of ${rounds}`);
    pairs.push({
      bare: await withTime(bare, () => inARow(3, seconds, (length) => run(PORTS.bare, length))),
      terse: await withTime(terse, async () => {
        const loads = await inARow(2 * seconds, 3 * seconds, (length) => run(PORTS.short, length));
        await sleep(UNTIL_COUNTED);
        return loads;
      }),
    });
  }
  await bare.stop();
  await terse.stop();
  const failed = pairs.reduce((sum, pair) => sum + pair.terse.failed, 0);
  const bareRate = median(pairs.map((pair) => pair.bare.rate));
  const figures: Figure[] = [
    plain('bare node:http 302, a second', bareRate.toFixed(0)),
    atLeast('counted redirect, to bare', median(pairs.map(({ bare, terse }) => terse.rate / bare.rate)), 0.9),
    plain(
      'the same by processor time, which others on the machine do not touch',
      median(pairs.map(({ bare, terse }) => bare.timeEach / terse.timeEach)).toFixed(2),
    ),
    plain('bare node:http 302, p99', `${median(pairs.map(({ bare }) => bare.p99)).toFixed(1)} ms`),
    atMost('counted redirect, p99', median(pairs.map(({ terse }) => terse.p99)), 10, ' ms'),
    plain('redirects that failed', String(failed)),
  ];
  return { figures, bareRate };
}

/** A load that was under way already, and the processor time one answer took, everything done for it included. */
interface Measured extends Load {
  timeEach: number;
}

type Loads = [before: Load, measured: Load];

const inARow = async (before: number, measured: number, run: (seconds: number) => Promise<Load>): Promise<Loads> => [
  await run(before),
  await run(measured),
];

async function withTime(server: Server, run: () => Promise<Loads>): Promise<Measured> {
  const start = server.processorTime();
  const [before, measured] = await run();
  return { ...measured, timeEach: (server.processorTime() - start) / (before.answers + measured.answers) };
}
