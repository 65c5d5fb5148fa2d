import { closeSync, copyFileSync, existsSync, openSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { linkJournals } from '../clicks/journal-backup.ts';
import { formerDirectory } from '../clicks/journal-files.ts';
import { journalDirectoryOf } from '../clicks/start-click-counting.ts';
import type { Config } from '../config/environment.ts';
import { makeFile, makeFolder } from '../files/atomic-file.ts';
import { nameDatabase, withoutPassword } from '../store/existing-database.ts';
import { StoreError } from '../store/interface/store.ts';
import { openStore } from '../store/open-store.ts';
import { checkBackup, finishCopy, identityOf, snapshot } from '../store/sqlite/backup-copy.ts';
import { refuseSecondName } from '../store/sqlite/sqlite-connection.ts';

type BackupSettings = Pick<Config, 'database' | 'journalDirectory'>;

/**
 * Writes everything that was answered before it began into one new file, while the service goes on serving: links,
 * accounts and keys, and also the clicks that were not counted yet.
 */
export async function backUp(config: BackupSettings, file: string, now: number): Promise<void> {
  const { database } = config;
  nameDatabase(database);
  if (database.engine === 'postgres') throw new StoreError(usePgDump(database.url, file));
  refuseSecondName(database.path);
  await makeFile(file, async (unfinished) => {
    const identity = identityOf(database.path);
    const clicks = linkJournals(journalDirectoriesOf(config), identity);
    try {
      closeSync(openSync(unfinished, 'wx', 0o600));
      snapshot(database.path, unfinished);
      const copy = await openStore({ engine: 'sqlite', path: unfinished }, now);
      await clicks.countInto(copy.clicks).finally(() => copy.close());
      finishCopy(unfinished);
    } finally {
      clicks.release();
    }
  });
}

/** Where clicks that wait may be, each before the one that a process which starts meanwhile moves them to. */
function journalDirectoriesOf(config: BackupSettings): string[] {
  const directory = journalDirectoryOf(config);
  const former = formerDirectory(config, directory);
  if (former === null) return [directory];
  // Whoever moves them there and counts them has to see there that they are held.
  makeFolder(directory);
  return [former, directory];
}

/** Puts a backup where the configured database is to be, and where there must be none. */
export async function restore(config: BackupSettings, file: string): Promise<void> {
  const { database } = config;
  nameDatabase(database);
  if (database.engine === 'postgres') throw new StoreError(usePgRestore(database.url, file));
  checkBackup(file);
  makeFolder(dirname(database.path));
  await makeFile(database.path, async (unfinished) => {
    refuseLeftovers(database.path, journalDirectoryOf(config));
    copyFileSync(file, unfinished);
  });
}

/** Writes and clicks that belong to another database would be taken for this one's. */
function refuseLeftovers(path: string, journals: string): void {
  const files = [`${path}-wal`, `${path}-shm`].filter(existsSync);
  // A hidden one is no journal, and nobody counts what is in it.
  const isJournal = (name: string) => !name.startsWith('.');
  const folders = existsSync(journals) && readdirSync(journals).some(isJournal) ? [journals] : [];
  const [first] = [...files, ...folders];
  if (first) throw new StoreError(`${first} is left of another database. Move it away first.`);
}

/** What tells visitors apart lives for a day and a dump for longer, so the rows of `visitors` and `visitor_days` are left out. */
function usePgDump(url: string, file: string): string {
  return `The database is PostgreSQL, which is backed up by its own tool: pg_dump --format=custom --exclude-table-data='visitor*' --file='${file}' '${withoutPassword(url)}'.`;
}

function usePgRestore(url: string, file: string): string {
  return `The database is PostgreSQL, which is restored by its own tool: pg_restore --no-owner --dbname='${withoutPassword(url)}' '${file}'.`;
}
