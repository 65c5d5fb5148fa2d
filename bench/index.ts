import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureAnalytics } from './analytics.ts';
import { measureCreates } from './creates.ts';
import { fill } from './database.ts';
import { measureExtension } from './extension/index.ts';
import { type Figure, table } from './figures.ts';
import { describeMachine, requireTools } from './machine.ts';
import { measureManyLinks } from './many-links/index.ts';
import { measurePostgres } from './postgres.ts';
import { startTerse } from './process.ts';
import { measureRates } from './rates/index.ts';
import { measureRedirects } from './redirects.ts';
import { simulate } from './simulation/index.ts';
import { measureSizes } from './sizes.ts';

const { values: options } = parseArgs({
  options: {
    /** Uses a tenth of the links and shorter runs. */
    quick: { type: 'boolean', default: false },
    /** Saves the results in Markdown files. */
    save: { type: 'boolean', default: false },
    extension: { type: 'boolean', default: false },
    service: { type: 'boolean', default: false },
    /** Measures latencies at fixed rates. */
    rates: { type: 'boolean', default: false },
    /**
     * Measures only a database with this number of links. A database with 100000000 links needs 35 GB of disk space.
     */
    links: { type: 'string' },
    /** Simulates loads that are too large for one machine. */
    simulation: { type: 'boolean', default: false },
  },
});

const FEW = 10_000;
const MANY = options.quick ? 1_000_000 : 10_000_000;
const SECONDS = options.quick ? 4 : 8;
const ROUNDS = 3;
/**
 * Number of processes that are measured per program. One is not enough, because two processes of the same program can
 * differ more in speed than the compared programs do.
 */
const PROCESSES = 5;

/** Maximum number of links for which `codeAt` returns different codes. */
const MAX_LINKS = 1_000_000_000;

const RATES =
  'Written by `npm run bench -- --rates --save`. Requests at fixed rates, in percent of the highest rate of the service in this run. Each latency starts when the request was due, so a stall counts for all requests that it delays. `sender late`: p99 of the delay that the sender itself added. Medians of three rounds, in turn with a bare `node:http` server at the same rate.';

const MANY_LINKS =
  'Written by `npm run bench -- --links 100000000 --save`. SQLite, all links in one account, server on one core.';

const SIMULATION =
  "Written by `npm run bench -- --simulation --save`: the service's own parts, with traffic that is simulated.";

const tell = (text: string): void => {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)}  ${text}\n`);
};

async function measureService(folder: string): Promise<Figure[]> {
  const small = join(folder, 'small.db');
  const large = join(folder, 'large.db');
  const run = { folder, seconds: SECONDS, rounds: ROUNDS, tell };

  await fill(small, FEW, () => {});
  const redirects = await measureRedirects({ ...run, rounds: PROCESSES, path: small, links: FEW });
  const database = { engine: 'sqlite' as const, path: small };
  const creates = await measureCreates({ ...run, database, engine: '', start: () => startTerse(small) });
  const elsewhere = await measurePostgres(run);
  await fill(small, FEW, () => {});
  tell('analytics');
  const analytics = await measureAnalytics(small);
  await fill(small, FEW, () => {});
  await fill(large, MANY, (made) => tell(`${made.toLocaleString('en')} of ${MANY.toLocaleString('en')} links`));
  const sizes = await measureSizes({
    ...run,
    processes: PROCESSES,
    few: { path: small, links: FEW },
    many: { path: large, links: MANY },
  });
  return [...redirects, ...creates, ...elsewhere, ...analytics, ...sizes];
}

function show(results: string, file: string, about: string): void {
  const heading = `${new Date().toISOString().slice(0, 10)}, ${describeMachine()}${options.quick ? ', --quick' : ''}`;
  process.stdout.write(`\n${heading}\n\n${results}\n`);
  if (!options.save) return;
  writeFileSync(new URL(file, import.meta.url), `# Figures\n\n${about}\n\n${heading}\n\n${results}\n`);
}

async function extension(): Promise<void> {
  show(
    table(await measureExtension({ rounds: options.quick ? 7 : 15, tell })),
    'extension/results.md',
    'Written by `npm run bench -- --extension --save`. Medians of alternating rounds in one run, headless Chromium.',
  );
}

async function service(): Promise<void> {
  show(
    table(await measureService(folder)),
    'results.md',
    'Written by `npm run bench -- --save`. Server on one core, load of 50 connections from another.',
  );
}

async function rates(): Promise<void> {
  show(await measureRates({ folder, seconds: SECONDS, rounds: ROUNDS, tell }), 'rates/results.md', RATES);
}

async function manyLinks(): Promise<void> {
  const links = Number(options.links);
  if (!Number.isSafeInteger(links) || links < 1_000_000 || links > MAX_LINKS) {
    throw new Error(`--links must be a number from 1000000 to ${MAX_LINKS}.`);
  }
  requireTools();
  show(await measureManyLinks({ folder, links, seconds: SECONDS, tell }), 'many-links/results.md', MANY_LINKS);
}

async function simulation(): Promise<void> {
  show(table(await simulate({ folder, seconds: SECONDS / 2, tell })), 'simulation/results.md', SIMULATION);
}

/** Runs the selected parts of the benchmark. If none is selected, runs `extension`, `service` and `rates`. */
async function measureAll(): Promise<void> {
  const named = [options.extension && extension, options.service && service, options.rates && rates].filter(Boolean);
  const parts = named.length > 0 ? named : [extension, service, rates];
  if (parts.some((part) => part !== extension)) requireTools();
  // Each part shows and saves its own results, so they are not lost if another part fails.
  for (const part of parts) await (part as () => Promise<void>)().catch(fail);
}

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exitCode = 1;
}

const folder = mkdtempSync(join(tmpdir(), 'terse-bench-'));
// Deletes the folder at exit, even if the user stops the program, because the database in it can be very large.
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));
try {
  if (options.links !== undefined) await manyLinks();
  else if (options.simulation) await simulation();
  else await measureAll();
} catch (error) {
  fail(error);
}
// Exits even if a failed benchmark has left servers running.
process.exit();
