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
import { measurePostgres } from './postgres.ts';
import { startTerse } from './process.ts';
import { measureRedirects } from './redirects.ts';
import { simulate } from './simulation/index.ts';
import { measureSizes } from './sizes.ts';

const { values: options } = parseArgs({
  options: {
    /** Uses a tenth of the links and shorter runs. */
    quick: { type: 'boolean', default: false },
    /** Writes the results to bench/results.md. */
    save: { type: 'boolean', default: false },
    extension: { type: 'boolean', default: false },
    service: { type: 'boolean', default: false },
    /** Simulates loads that are too large for one machine. */
    simulation: { type: 'boolean', default: false },
  },
});

const FEW = 10_000;
const MANY = options.quick ? 1_000_000 : 10_000_000;
const SECONDS = options.quick ? 4 : 8;
const ROUNDS = 3;
/**
 * Number of processes of each kind. One process is not enough, because two processes of the same program differ more
 * than the compared programs do.
 */
const PROCESSES = 5;

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

function show(figures: Figure[], file: string, about: string): void {
  const heading = `${new Date().toISOString().slice(0, 10)}, ${describeMachine()}${options.quick ? ', --quick' : ''}`;
  process.stdout.write(`\n${heading}\n\n${table(figures)}\n`);
  if (!options.save) return;
  writeFileSync(new URL(file, import.meta.url), `# Figures\n\n${about}\n\n${heading}\n\n${table(figures)}\n`);
}

async function extension(): Promise<void> {
  show(
    await measureExtension({ rounds: options.quick ? 7 : 15, tell }),
    'extension/results.md',
    'Written by `npm run bench -- --extension --save`. Medians of alternating rounds in one run, headless Chromium.',
  );
}

async function service(): Promise<void> {
  show(
    await measureService(folder),
    'results.md',
    'Written by `npm run bench -- --save`. Server on one core, load of 50 connections from another.',
  );
}

/** Shows and saves the results of each part when the part ends, even if another part fails. */
async function measureAll(): Promise<void> {
  if (!options.extension) requireTools();
  const parts = [...(options.service ? [] : [extension]), ...(options.extension ? [] : [service])];
  for (const part of parts) await part().catch(fail);
}

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exitCode = 1;
}

const folder = mkdtempSync(join(tmpdir(), 'terse-bench-'));
try {
  if (options.simulation) {
    const figures = await simulate({ folder, seconds: SECONDS / 2, tell });
    show(figures, 'simulation/results.md', SIMULATION);
  } else await measureAll();
} catch (error) {
  fail(error);
} finally {
  rmSync(folder, { recursive: true });
}
