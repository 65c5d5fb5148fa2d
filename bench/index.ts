import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureAnalytics } from './analytics.ts';
import { measureCreates } from './creates.ts';
import { fill, sizeOf } from './database.ts';
import { atMost, type Figure, median, plain, table } from './figures.ts';
import { load, visits } from './load.ts';
import { lookUpTime } from './lookups.ts';
import { describeMachine, requireTools } from './machine.ts';
import { PORTS, startTerse } from './process.ts';
import { measureRedirects } from './redirects.ts';

const { values: options } = parseArgs({
  options: {
    /** A tenth of the links, and shorter runs. */
    quick: { type: 'boolean', default: false },
    /** Write the figures to bench/results.md. */
    save: { type: 'boolean', default: false },
  },
});

const FEW = 10_000;
const MANY = options.quick ? 1_000_000 : 10_000_000;
const SECONDS = options.quick ? 4 : 8;
const ROUNDS = 3;

const tell = (text: string): void => {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)}  ${text}\n`);
};

async function measure(folder: string): Promise<Figure[]> {
  const small = join(folder, 'small.db');
  const large = join(folder, 'large.db');
  const run = { folder, seconds: SECONDS, rounds: ROUNDS, tell };

  await fill(small, FEW, () => {});
  const { figures: redirects } = await measureRedirects({ ...run, path: small, links: FEW });
  const creates = await measureCreates({ ...run, path: small });
  await fill(small, FEW, () => {});
  tell('analytics');
  const analytics = await measureAnalytics(small);
  await fill(small, FEW, () => {});
  await fill(large, MANY, (made) => tell(`${made.toLocaleString('en')} of ${MANY.toLocaleString('en')} links`));
  return [...redirects, ...creates, ...analytics, ...(await measureSize(folder, small, large))];
}

/** What a service with many links costs beside one with few. */
async function measureSize(folder: string, small: string, large: string): Promise<Figure[]> {
  const size = sizeOf(large);
  tell('look-ups in the store');
  const few = await lookUpTime(small, FEW);
  const many = await lookUpTime(large, MANY);
  const rest = await visitAnywhere(folder, small, FEW);
  const most = await visitAnywhere(folder, large, MANY);
  const [fewLinks, links] = [FEW.toLocaleString('en'), MANY.toLocaleString('en')];
  return [
    plain(`look-up in the store among ${fewLinks} links`, `${few.toFixed(2)} µs`),
    plain(`look-up in the store among ${links} links`, `${many.toFixed(2)} µs`),
    plain(`look-ups answered a second (HEAD), any of ${fewLinks} links`, rest.lookUps.toFixed(0)),
    plain(`look-ups answered a second (HEAD), any of ${links} links`, most.lookUps.toFixed(0)),
    atMost(`a link among ${links} to one among ${fewLinks}`, rest.lookUps / most.lookUps, 1.5, ' times', 2),
    plain(`counted redirects a second (GET), any of ${fewLinks} links`, rest.visits.toFixed(0)),
    plain(`counted redirects a second (GET), any of ${links} links`, most.visits.toFixed(0)),
    atMost('disk a link, its URL of 70 bytes included', size / MANY, 200, ' bytes', 0),
    atMost(`memory with ${links} links, at rest`, most.atRest.resident, 150, ' MB', 0),
    atMost('memory of its own after those loads', most.after.own, 150, ' MB', 0),
    plain('the same with the pages of files it has mapped', `${most.after.resident.toFixed(0)} MB`),
  ];
}

/** Looks up and visits links that are seldom at hand, unless they are few. */
async function visitAnywhere(folder: string, path: string, links: number) {
  tell(`any of ${links.toLocaleString('en')} links`);
  const terse = await startTerse(path);
  const run = async (method: 'GET' | 'HEAD') => {
    const { rate } = await load({
      port: PORTS.short,
      folder,
      seconds: SECONDS,
      requests: visits(100_000, links, method),
    });
    return rate;
  };
  const atRest = terse.memory();
  await run('HEAD');
  const lookUps = median(await inTurn(ROUNDS, () => run('HEAD')));
  const counted = median(await inTurn(ROUNDS, () => run('GET')));
  const after = terse.memory();
  await terse.stop();
  return { lookUps, visits: counted, atRest, after };
}

async function inTurn<Result>(times: number, run: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let time = 0; time < times; time += 1) results.push(await run());
  return results;
}

requireTools();
const folder = mkdtempSync(join(tmpdir(), 'terse-bench-'));
try {
  const figures = table(await measure(folder));
  const heading = `${new Date().toISOString().slice(0, 10)}, ${describeMachine()}${options.quick ? ', --quick' : ''}`;
  process.stdout.write(`\n${heading}\n\n${figures}\n`);
  if (options.save) {
    const about = 'Written by `npm run bench -- --save`. Server on one core, load of 50 connections from another.';
    writeFileSync(new URL('results.md', import.meta.url), `# Figures\n\n${about}\n\n${heading}\n\n${figures}\n`);
  }
} catch (error) {
  if (!(error instanceof Error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
