import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureAnalytics } from './analytics.ts';
import { measureCreates, measurePostgres } from './creates.ts';
import { fill } from './database.ts';
import { measureExtension } from './extension/index.ts';
import { type Figure, table } from './figures.ts';
import { describeMachine, requireTools, startTerse } from './process.ts';
import { compareSizes, measureRedirects } from './redirects.ts';
import { measureStart } from './start.ts';

const given = new Set(process.argv.slice(2));
const options = {
  /** Uses a tenth of the links and shorter runs. */
  quick: given.delete('--quick'),
  /** Saves the results in Markdown files. */
  save: given.delete('--save'),
  extension: given.delete('--extension'),
  service: given.delete('--service'),
};
if (given.size > 0) {
  const usage = 'npm run bench -- [--quick] [--save] [--extension] [--service]';
  console.error(`Unknown option ${[...given].join(', ')}. Usage: ${usage}`);
  process.exit(1);
}

const FEW = 10_000;
const MANY = options.quick ? 1_000_000 : 10_000_000;
const SECONDS = options.quick ? 4 : 8;
const ROUNDS = 3;

const tell = (text: string): void => {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)}  ${text}\n`);
};

async function measureService(folder: string): Promise<Figure[]> {
  const small = { path: join(folder, 'small.db'), links: FEW };
  const large = { path: join(folder, 'large.db'), links: MANY };
  const run = { folder, seconds: SECONDS, rounds: ROUNDS, tell };
  const fillSmall = () => fill(small.path, small.links, () => {});

  await fillSmall();
  tell('start and memory');
  const start = await measureStart(small.path, small.links, ROUNDS);
  const redirects = await measureRedirects({ ...run, ...small });
  const creates = await measureCreates({
    ...run,
    database: { engine: 'sqlite', path: small.path },
    engine: '',
    least: 0.06,
    start: () => startTerse(`file:${small.path}`),
  });
  const onPostgres = await measurePostgres(run);
  await fillSmall();
  tell('analytics');
  const analytics = await measureAnalytics(small.path);
  await fillSmall();
  await fill(large.path, large.links, (made) =>
    tell(`${made.toLocaleString('en')} of ${MANY.toLocaleString('en')} links`),
  );
  return [...start, ...redirects, ...creates, ...onPostgres, ...analytics, await compareSizes(small, large, run)];
}

function show(results: string, file: string, about: string): void {
  const heading = `${new Date().toISOString().slice(0, 10)}, ${describeMachine()}${options.quick ? ', --quick' : ''}`;
  process.stdout.write(`\n${heading}\n\n${results}\n`);
  if (!options.save) return;
  writeFileSync(new URL(file, import.meta.url), `# Figures\n\n${about}\n\n${heading}\n\n${results}\n`);
}

async function extension(): Promise<void> {
  const figures = await measureExtension({ rounds: options.quick ? 7 : 15, tell });
  const about = 'Medians of alternating rounds in one run, headless Chromium.';
  show(table(figures), 'extension/results.md', `Written by \`npm run bench -- --extension --save\`. ${about}`);
}

async function service(): Promise<void> {
  requireTools();
  const about =
    'Server on one core, load of 50 connections from another. Half load is half of the rate that the service sustains with counting included.';
  show(table(await measureService(folder)), 'results.md', `Written by \`npm run bench -- --save\`. ${about}`);
}

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exitCode = 1;
}

const folder = mkdtempSync(join(tmpdir(), 'terse-bench-'));
// Deletes the folder at exit, even if the user stops the program, because the database in it can be very large.
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
// Each part shows and saves its own results, so they are not lost if the other part fails.
if (options.extension || !options.service) await extension().catch(fail);
if (options.service || !options.extension) await service().catch(fail);
// Exits even if a failed benchmark has left servers running.
process.exit();
