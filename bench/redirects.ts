import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, type Figure, median, plain } from './figures.ts';
import { latencyAtRate, load, visits } from './load.ts';
import { PORTS, type Server, startBare, startTerse } from './process.ts';

export interface RedirectOptions {
  folder: string;
  path: string;
  links: number;
  seconds: number;
  /** Each round starts new processes, because two of the same program can differ in speed by up to an eighth. */
  rounds: number;
  tell(text: string): void;
}

/** Warm-up times in seconds, so that the measured code is compiled. The first count of many clicks takes place later. */
const LEAD = 4;
const LONG_LEAD = 16;

/** Fixed rate in redirects per second, so that the latencies of different machines and versions can be compared. */
const FIXED_RATE = 5_000;

/**
 * Compares the service with a server that only redirects and counts no clicks. The two servers are measured
 * alternately, by the CPU time of their processes. The time of the service includes counting the clicks until none is
 * waiting. Then requests arrive at half load and at a fixed rate, while the service counts their clicks. Half load is half
 * of the rate that the service sustains with counting included: one divided by the CPU time of a counted redirect.
 */
export async function measureRedirects(options: RedirectOptions): Promise<Figure[]> {
  const { path, links, seconds, rounds, tell } = options;
  const terse: Awaited<ReturnType<typeof timeRedirects>>[] = [];
  const bare: typeof terse = [];
  const atHalfLoad: number[] = [];
  const atFixedRate: number[] = [];
  const latency = async (rate: number) => {
    const server = await startTerse(`file:${path}`);
    const measured = await latencyAtRate({ port: PORTS.short, rate, lead: LONG_LEAD, seconds: 2 * seconds, links });
    // Only a running service counts the clicks that wait.
    await waitUntilCounted(path);
    await server.stop();
    return measured;
  };
  for (let round = 1; round <= rounds; round += 1) {
    tell(`redirects, round ${round} of ${rounds}`);
    bare.push(await timeRedirects(await startBare(), PORTS.bare, options));
    const counted = await timeRedirects(await startTerse(`file:${path}`), PORTS.short, options);
    terse.push(counted);
    atHalfLoad.push(await latency(Math.round(1 / counted.each / 2)));
    atFixedRate.push(await latency(FIXED_RATE));
  }
  const each = (times: { each: number }[]) => median(times.map((one) => one.each));
  return [
    plain('bare node:http 302, a second', median(bare.map(({ rate }) => rate)).toFixed(0)),
    plain('redirects a second, counted later', median(terse.map(({ rate }) => rate)).toFixed(0)),
    atMost('counted redirect to bare by processor time, with counting', each(terse) / each(bare), 1.6, ' times', 2),
    plain('half load, redirects a second', (1 / each(terse) / 2).toFixed(0)),
    atMost('redirect at half load while clicks are counted, p99', median(atHalfLoad), 10, ' ms'),
    plain(`the same at ${FIXED_RATE.toLocaleString('en')} a second`, `${median(atFixedRate).toFixed(1)} ms`),
    plain('redirects that failed', String(terse.reduce((sum, { failed }) => sum + failed, 0))),
  ];
}

/** Returns the CPU time of a server per redirect, until no click is waiting, and stops the server. */
async function timeRedirects(server: Server, port: number, options: Omit<RedirectOptions, 'rounds' | 'tell'>) {
  const { folder, path, links, seconds } = options;
  const requests = visits(links);
  await load({ port, folder, seconds: LEAD, requests });
  await waitUntilCounted(path);
  const before = server.processorTime();
  const { answers, rate, failed } = await load({ port, folder, seconds, requests });
  await waitUntilCounted(path);
  return { rate, failed, each: ((await server.stop()) - before) / answers };
}

const CHECK_INTERVAL_MS = 250;

/** Waits until the service has counted all clicks in its database. */
async function waitUntilCounted(path: string): Promise<void> {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 1000 });
  const waiting = database.prepare('SELECT count(*) AS rows FROM waiting_clicks');
  while (waiting.get()?.rows !== 0) await sleep(CHECK_INTERVAL_MS);
  database.close();
}

/**
 * Compares a click on a link among many links with a click on a link among few links, by the CPU time of the process.
 * The time includes counting the clicks until none is waiting. The two are measured alternately.
 */
export async function compareSizes(
  few: { path: string; links: number },
  many: { path: string; links: number },
  { folder, seconds, rounds, tell }: Omit<RedirectOptions, 'path' | 'links'>,
): Promise<Figure> {
  const clickTime = async ({ path, links }: { path: string; links: number }) => {
    tell(`clicks among ${links.toLocaleString('en')} links`);
    const server = await startTerse(`file:${path}`);
    return (await timeRedirects(server, PORTS.short, { folder, path, links, seconds: 2 * seconds })).each;
  };
  const name = `a click among ${many.links.toLocaleString('en')} links to one among ${few.links.toLocaleString('en')}`;
  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const fewTime = await clickTime(few);
    ratios.push((await clickTime(many)) / fewTime);
  }
  return atMost(name, median(ratios), 2.5, ' times', 2);
}
