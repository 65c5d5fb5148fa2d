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

/** Counted redirects beside a bare server's, by turns, so that both meet the same machine. */
export async function measureRedirects({ folder, path, links, seconds, rounds, tell }: RedirectOptions) {
  const bare = await startBare();
  const terse = await startTerse(path);
  const requests = visits(Math.min(links, POPULAR));
  const run = (port: number, length = seconds) => load({ port, folder, seconds: length, requests });
  await run(PORTS.bare, 3);
  await run(PORTS.short, 5);
  const pairs: { bare: Measured; terse: Measured }[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    tell(`redirects, round ${round} of ${rounds}`);
    pairs.push({
      bare: await withTime(bare, () => run(PORTS.bare)),
      terse: await withTime(terse, () => run(PORTS.short)),
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

/** A load, and the processor time one of its answers took. */
interface Measured extends Load {
  timeEach: number;
}

async function withTime(server: Server, run: () => Promise<Load>): Promise<Measured> {
  const before = server.processorTime();
  const start = performance.now();
  const result = await run();
  const answers = (result.rate * (performance.now() - start)) / 1000;
  return { ...result, timeEach: (server.processorTime() - before) / answers };
}
