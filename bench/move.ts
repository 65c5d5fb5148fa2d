import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { emptyDay, hourIn } from '../backend/src/domain/analytics/daily-counts.ts';
import { writeDay } from '../backend/src/domain/analytics/daily-counts-encoding.ts';
import { startPostgres } from '../backend/test/support/postgres-server.ts';
import { fill } from './database.ts';
import { describeMachine } from './machine.ts';

// Moves a million links with their click counts from SQLite to PostgreSQL and back, using the real command. Prints
// the time and the memory that the command needs.
//
// Usage: node bench/move.ts [number of links]

const MAIN = fileURLToPath(new URL('../backend/src/main.ts', import.meta.url));
const LINKS = Number(process.argv[2] ?? 1_000_000);

const folder = mkdtempSync(join(tmpdir(), 'terse-bench-move-'));
const server = await startPostgres(() => {});
try {
  const path = join(folder, 'terse.db');
  await fill(path, LINKS, () => {});
  addCounts(path);
  console.log(
    `${describeMachine()}, PostgreSQL over a unix socket on the same machine, ${LINKS.toLocaleString('en')} links`,
  );
  console.log(`the SQLite file: ${(statSync(path).size / 2 ** 20).toFixed(0)} MB`);
  await move(`file:${path}`, server.url('postgres'));
  await move(server.url('postgres'), `file:${join(folder, 'back.db')}`);
} finally {
  await server.stop();
  rmSync(folder, { recursive: true });
}

/**
 * Adds one day of click counts to every third link. The clicks come from four browsers, three referrers and three
 * countries.
 */
function addCounts(path: string): void {
  const day = emptyDay();
  for (const hour of [1, 8, 9, 15]) Object.assign(hourIn(day, hour), { clicks: 3, visitors: 2, bots: 1 });
  const names = { browsers: 4, referrers: 3, countries: 3 } as const;
  for (const [kind, count] of Object.entries(names) as [keyof typeof names, number][]) {
    for (let at = 0; at < count; at += 1) day.names[kind].set(`a name of ${kind} ${at}`, 3);
  }
  const database = new DatabaseSync(path);
  const insert = 'INSERT INTO click_days (link_id, day, counts) SELECT id, 20000, ? FROM links WHERE id % 3 = 0';
  database.prepare(insert).run(writeDay(day));
  database.close();
}

async function move(from: string, to: string): Promise<void> {
  const start = performance.now();
  const child = spawn(process.execPath, [MAIN, 'move', from, to], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  let memory = 0;
  const watching = setInterval(() => {
    memory = Math.max(memory, peakOf(child.pid as number));
  }, 100);
  const [code] = await once(child, 'exit');
  clearInterval(watching);
  if (code !== 0) throw new Error(`The move ended with ${code}.`);
  const seconds = (performance.now() - start) / 1000;
  console.log(
    `${from.slice(0, 5)}… to ${to.slice(0, 5)}…: ${seconds.toFixed(0)} s, ${memory.toFixed(0)} MB of memory at most`,
  );
}

/** Returns the peak memory usage of a process in megabytes. Works only on Linux. */
function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
