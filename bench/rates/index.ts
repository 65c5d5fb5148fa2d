import { join } from 'node:path';
import { startPostgres } from '../../backend/test/support/postgres-server.ts';
import { creates, KEYS } from '../creates.ts';
import { fill, makeKeys } from '../database.ts';
import { median, tableOf } from '../figures.ts';
import { load, visits } from '../load.ts';
import { DATABASE_CONNECTIONS } from '../postgres.ts';
import { PORTS, type Server, startBare, startTerse, startTerseOn } from '../process.ts';
import { POPULAR } from '../redirects.ts';
import { loadAtRate } from './load-at-rate.ts';
import type { Sending, Sent } from './sender.ts';

export interface RateOptions {
  folder: string;
  seconds: number;
  rounds: number;
  tell(text: string): void;
}

/** Fixed rates, in percent of the highest rate that wrk reached with the same service in the same run. */
const PERCENT = [10, 50, 90];

/** Seconds of load before each measurement. */
const LEAD = 1;

/** Seconds of load before the highest rate is measured. After this time, clicks are counted as fast as they arrive. */
const WARM_UP = 12;

const HEAD = [
  'load',
  'a second',
  'p50',
  'p99',
  'maximum',
  'bare p50',
  'bare p99',
  'bare maximum',
  'p99 to bare',
  'sender late',
];

interface Subject {
  name: string;
  port: number;
  requests: Sending['requests'];
  /** Lua code that generates the requests for the load testing tool wrk. */
  script: string;
  start(): Promise<Server>;
}

/**
 * Compares the latencies of the service and of a minimal HTTP server at several fixed rates.
 *
 * @returns a table
 */
export async function measureRates(options: RateOptions): Promise<string> {
  const path = join(options.folder, 'rates.db');
  await fill(path, POPULAR, () => {});
  const visit = { name: 'redirects', port: PORTS.short, requests: { links: POPULAR }, script: visits(POPULAR) };
  const redirects = await measureSubject({ ...visit, start: () => startTerse(path) }, options);
  const keys = await makeKeys({ engine: 'sqlite', path }, KEYS);
  const create = { name: 'creates', port: PORTS.api, requests: { keys }, script: creates(keys) };
  const made = await measureSubject({ ...create, start: () => startTerse(path) }, options);
  return tableOf(HEAD, [...redirects, ...made, ...(await measurePostgres(options))]);
}

async function measurePostgres(options: RateOptions): Promise<string[][]> {
  const server = await startPostgres(options.tell, { fsync: 'on' });
  try {
    const url = server.url('postgres');
    const keys = await makeKeys({ engine: 'postgres', url, connections: DATABASE_CONNECTIONS }, KEYS);
    const start = () =>
      startTerseOn(url, PORTS.api, PORTS.short, { TERSE_JOURNAL_DIR: join(options.folder, 'clicks') });
    const create = { name: 'creates on PostgreSQL', port: PORTS.api, requests: { keys }, script: creates(keys) };
    return await measureSubject({ ...create, start }, options);
  } finally {
    await server.stop();
  }
}

async function measureSubject(subject: Subject, options: RateOptions): Promise<string[][]> {
  const { name, port, requests, script, start } = subject;
  const { folder, seconds, rounds, tell } = options;
  const bare = await startBare();
  const terse = await start();
  tell(`${name}: highest rate`);
  await load({ port, folder, seconds: WARM_UP, requests: script });
  const { rate: highest } = await load({ port, folder, seconds: 2 * seconds, requests: script });
  const rows: string[][] = [];
  for (const percent of PERCENT) {
    const rate = Math.round((highest * percent) / 100);
    tell(`${name}: ${percent} % of ${highest.toFixed(0)} a second`);
    const pairs: { bare: Sent; terse: Sent }[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      const at = (port: number) => loadAtRate({ port, rate, lead: LEAD, seconds, requests });
      pairs.push({ bare: await at(PORTS.bare), terse: await at(port) });
    }
    const row = rowOf(`${name}, ${percent} %`, rate, pairs);
    tell(row.join(' | '));
    rows.push(row);
  }
  await bare.stop();
  await terse.stop();
  return rows;
}

function rowOf(name: string, rate: number, pairs: { bare: Sent; terse: Sent }[]): string[] {
  const failed = pairs.reduce((sum, { terse }) => sum + terse.failed, 0);
  if (failed > 0) throw new Error(`${failed} requests failed (${name}).`);
  const of = (which: 'bare' | 'terse', field: 'p50' | 'p99' | 'max' | 'late') =>
    median(pairs.map((pair) => pair[which][field]));
  const reached = median(pairs.map(({ terse }) => terse.rate));
  const times = (['terse', 'bare'] as const).flatMap((which) => [of(which, 'p50'), of(which, 'p99'), of(which, 'max')]);
  return [
    name,
    // A lower rate than planned means that the sender or the server could not keep up.
    reached < 0.98 * rate ? `${rate}, reached ${reached.toFixed(0)}` : String(rate),
    ...times.map((time) => `${time.toFixed(2)} ms`),
    `${(of('terse', 'p99') / of('bare', 'p99')).toFixed(2)} times`,
    `${of('terse', 'late').toFixed(2)} ms`,
  ];
}
