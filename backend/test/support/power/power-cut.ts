import { copyFileSync, existsSync, linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { move as moveDatabase } from '../../../src/move-database/move-database.ts';
import { MARKS } from '../../../src/store/migrations/all-migrations.ts';
import { startServe } from '../process.ts';
import { findBrokenPromises } from './promises.ts';
import { PATHS, type Session } from './record-session.ts';
import {
  applyChanges,
  type EntryChange,
  type FileChange,
  type RecordedDisk,
  type RecordedFile,
  type RecordedFolder,
} from './recorded-disk.ts';

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

/** Returns a random number in [0, 1). */
export type Random = () => number;

/** Smallest part of a file that a disk writes completely or not at all, in bytes. */
const SECTOR = 512;

/** Result for the changes of a file or folder that were not flushed. */
const FATES = ['lost', 'kept', 'mixed'] as const;
export type Fate = (typeof FATES)[number];

interface PowerCut {
  /** Position of the power cut. Only the calls that started before it have an effect. */
  at: number;
  random: Random;
  /** Fate of the changes that were not flushed. If absent, it is random. */
  fates?: Record<'files' | 'folders', Fate>;
  /** Flushes that the disk ignores from a position on, to show that the checks notice the losses. */
  ignoredFlushes?: { of: readonly ('files' | 'folders')[]; since: number };
}

/**
 * Writes the files that a disk can contain after a power cut into an empty folder. All flushed changes exist.
 *
 * - Each other change of a file exists, is missing, or is torn at sector boundaries, in any combination.
 * - Of the other changes of a folder, the first ones exist, because file systems write them in order. A renamed
 *   file has either its old or its new name.
 */
function writeRemains({ folder }: RecordedDisk, cut: PowerCut, target: string): void {
  const { at, random, fates, ignoredFlushes } = cut;
  const isFlushed = ({ syncedAt }: FileChange | EntryChange, nodes: 'files' | 'folders') =>
    syncedAt < at && !(ignoredFlushes?.of.includes(nodes) && syncedAt >= ignoredFlushes.since);
  // Either one fate for all files and folders, or a separate fate for each.
  const common = pick(random, [...FATES, null, null]);
  const fateOf = (nodes: 'files' | 'folders') => fates?.[nodes] ?? common ?? pick(random, FATES);
  const paths = new Map<RecordedFile, string>();
  const keptChanges = new Map<RecordedFolder, Set<EntryChange>>();

  function write(from: RecordedFolder, path: string): void {
    for (const [name, node] of entriesOf(from)) {
      const child = join(path, name);
      if (node.kind === 'folder') {
        mkdirSync(child);
        write(node, child);
        continue;
      }
      const other = paths.get(node);
      if (other === undefined) writeFileSync(child, contentOf(node));
      else linkSync(other, child);
      paths.set(node, child);
    }
  }

  function entriesOf(from: RecordedFolder): Map<string, RecordedFile | RecordedFolder> {
    const entries = new Map<string, RecordedFile | RecordedFolder>();
    const kept = keptIn(from);
    for (const change of from.changes) {
      const { name, node, renamedTo } = change;
      if (node && kept.has(change)) entries.set(name, node);
      const isRemoved = renamedTo ? keptIn(renamedTo.folder).has(renamedTo.change) : kept.has(change);
      if (!node && isRemoved) entries.delete(name);
    }
    return entries;
  }

  function keptIn(from: RecordedFolder): Set<EntryChange> {
    const known = keptChanges.get(from);
    if (known) return known;
    const begun = from.changes.filter((change) => change.at < at);
    const flushed = begun.findLastIndex((change) => isFlushed(change, 'folders')) + 1;
    const others = begun.length - flushed;
    const counts = { lost: 0, kept: others, mixed: Math.floor(random() * (others + 1)) };
    const kept = new Set(begun.slice(0, flushed + counts[fateOf('folders')]));
    keptChanges.set(from, kept);
    return kept;
  }

  function contentOf({ changes }: RecordedFile): Buffer {
    const own = fateOf('files');
    const begun = changes.filter((change) => change.at < at);
    const content = applyChanges(
      begun.flatMap((change) => (isFlushed(change, 'files') ? change : partsOf(change, own))),
    );
    if (own !== 'mixed' || random() < 0.7) return content;
    // The file system has written the new size of the file, but not its data.
    const missing = applyChanges(begun).length - content.length;
    return missing > 0 ? Buffer.concat([content, Buffer.alloc(missing)]) : content;
  }

  /** Returns the parts of a change that are on the disk, although the change was not flushed. */
  function partsOf(change: FileChange, own: Fate): FileChange[] {
    if (own !== 'mixed') return own === 'kept' ? [change] : [];
    const part = pick(random, ['all', 'none', 'torn'] as const);
    if (part !== 'torn' || 'size' in change) return part === 'all' ? [change] : [];
    const { offset, data } = change;
    const sectors: FileChange[] = [];
    for (let from = 0; from < data.length; ) {
      const to = Math.min(data.length, from + SECTOR - ((offset + from) % SECTOR));
      if (random() < 0.5) sectors.push({ ...change, offset: offset + from, data: data.subarray(from, to) });
      from = to;
    }
    return sectors;
  }

  write(folder, target);
}

function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T;
}
