import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { move as moveDatabase } from '../../../src/move-database/move-database.ts';
import { MARKS } from '../../../src/store/migrations/all-migrations.ts';
import { startServe } from '../process.ts';
import { findBrokenPromises } from './broken-promises.ts';
import { type PowerCut, writeRemains } from './power-cut.ts';
import { PATHS, type Session } from './record-session.ts';

/** Folder in memory, so that the test does not wait for a disk when it opens the files that a power cut left. */
const MEMORY = '/dev/shm';

export interface CutToCheck extends PowerCut {
  /** True if the service is started with the files that the power cut left. Otherwise, only its store opens them. */
  startsService?: boolean;
}

/**
 * Writes the files that a disk can contain after a power cut, opens them, and returns a message for each broken
 * promise.
 */
export async function checkCut(session: Session, cut: CutToCheck): Promise<string[]> {
  const folder = mkdtempSync(join(existsSync(MEMORY) ? MEMORY : tmpdir(), 'terse-power-cut-'));
  try {
    writeRemains(session.disk, cut, folder);
    return await checkRemains(session, cut, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function checkRemains(session: Session, { at, startsService }: CutToCheck, folder: string): Promise<string[]> {
  const { promises, backup, restore, move } = session;
  const broken: string[] = [];
  const check = async (path: string, position: number) =>
    (await findBrokenPromises(join(folder, path), promises, position)).map((message) => `${path}: ${message}`);

  for (const [path, { end }] of [
    [PATHS.backup, backup],
    [PATHS.restored, restore],
  ] as const) {
    if (end > at) continue;
    if (existsSync(join(folder, path))) {
      // The backup was made while no request was in progress, so it contains exactly the changes that were confirmed
      // before.
      copyFileSync(join(folder, path), join(folder, 'copy.db'));
      broken.push(...(await check('copy.db', backup.start)));
      rmSync(join(folder, 'copy.db'));
    } else broken.push(`${path} is missing`);
  }
  const isMoved = isMovedAway(join(folder, PATHS.database));
  if (!isMoved && at >= move.end) broken.push('the old database can be used after the move');
  // A move that was cut off after it had marked the old database is completed by the same command.
  if (isMoved && at < move.end) await completeMove(folder);
  const current = isMoved ? PATHS.moved : PATHS.database;
  if (startsService) broken.push(...(await startService(folder, current)));
  return [...broken, ...(await check(current, at))];
}

/** Starts and stops the service. It counts the clicks that were recorded before the power cut. */
async function startService(folder: string, database: string): Promise<string[]> {
  try {
    const service = await startServe(folder, { TERSE_DATABASE: `file:${database}` });
    const code = await service.end('SIGTERM');
    return code === 0 ? [] : [`the service ended with ${code}: ${service.stderr()}`];
  } catch (error) {
    return [`the service does not start: ${(error as Error).message}`];
  }
}

async function completeMove(folder: string): Promise<void> {
  const [from, to] = [PATHS.database, PATHS.moved].map((path) => ({
    engine: 'sqlite' as const,
    path: join(folder, path),
  }));
  if (from && to) await moveDatabase({ from, to, now: Date.now(), printLine: () => {} });
}

function isMovedAway(path: string): boolean {
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    const mark = database.prepare('SELECT id FROM migrations WHERE id = ?').get(MARKS.movedAway);
    database.close();
    return mark !== undefined;
  } catch {
    // Later checks report that the database is missing or cannot be read.
    return false;
  }
}
