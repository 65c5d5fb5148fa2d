import { closeSync, copyFileSync, existsSync, openSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { linkJournals } from '../clicks/journal-backup.ts';
import { formerDirectory } from '../clicks/journal-files.ts';
import { journalDirectoryOf } from '../clicks/start-click-counting.ts';
import type { Config } from '../config/environment.ts';
import { createFile, makeFolder } from '../files/create-file-atomically.ts';
import { printDatabase, withoutPassword } from '../store/existing-database.ts';
import { StoreError } from '../store/interface/store.ts';
import { openStore } from '../store/open-store.ts';
import { checkBackup, finishCopy, identityOf, snapshot } from '../store/sqlite/backup-copy.ts';
import { requireOrdinaryFile, requireWritable } from '../store/sqlite/database-file.ts';

type BackupSettings = Pick<Config, 'database' | 'journalDirectory'>;

/**
 * Writes a backup of the whole database to a new file, including recorded clicks that are not counted yet. The
 * service can run during the backup. The backup contains all changes that were saved before the backup started.
 */
export async function backUp(config: BackupSettings, file: string, now: number): Promise<void> {
  const { database } = config;
  printDatabase(database);
  if (database.engine === 'postgres') throw new StoreError(usePgDump(database.url, file));
  requireOrdinaryFile(database.path);
  await createFile(file, async (temporary) => {
    const identity = identityOf(database.path);
    const clicks = linkJournals(journalDirectoriesOf(config), identity);
    try {
      closeSync(openSync(temporary, 'wx', 0o600));
      snapshot(database.path, temporary);
      const copy = await openStore({ engine: 'sqlite', path: temporary }, now);
      await clicks.countInto(copy.clicks).finally(() => copy.close());
      finishCopy(temporary);
    } finally {
      clicks.release();
    }
  });
}

/**
 * Returns the directories with recorded clicks: the directory of an earlier version, if it exists, and the current
 * directory. If the service starts during the backup, it may move clicks from the first directory to the second.
 */
function journalDirectoriesOf(config: BackupSettings): string[] {
  const directory = journalDirectoryOf(config);
  const former = formerDirectory(config, directory);
  if (former === null) return [directory];
  // Creates the current directory if it is missing, because the backup skips missing directories. The service may
  // move clicks to this directory during the backup.
  makeFolder(directory);
  return [former, directory];
}

/** Restores a backup. The database in the configuration must not exist yet. */
export async function restore(config: BackupSettings, file: string): Promise<void> {
  const { database } = config;
  printDatabase(database);
  if (database.engine === 'postgres') throw new StoreError(usePgRestore(database.url, file));
  checkBackup(file);
  requireWritable(database.path);
  makeFolder(dirname(database.path));
  await createFile(database.path, async (temporary) => {
    refuseLeftovers(database.path, journalDirectoryOf(config));
    copyFileSync(file, temporary);
  });
}

/**
 * Refuses to restore a backup if files of another database exist, because the service would use them together with
 * the restored database.
 */
function refuseLeftovers(path: string, journals: string): void {
  const files = [`${path}-wal`, `${path}-shm`].filter(existsSync);
  // Ignores names that start with a dot, because they belong to temporary folders.
  const isJournal = (name: string) => !name.startsWith('.');
  const folders = existsSync(journals) && readdirSync(journals).some(isJournal) ? [journals] : [];
  const [first] = [...files, ...folders];
  if (first) throw new StoreError(`${first} belongs to another database. Move it to another folder first.`);
}

/**
 * Returns instructions for backing up a PostgreSQL database. The backup must exclude visitor hashes, which must be
 * deleted after one day.
 */
function usePgDump(url: string, file: string): string {
  return `Back up a PostgreSQL database with its own tool: pg_dump --format=custom --exclude-table-data='visitor*' --file='${file}' '${withoutPassword(url)}'.`;
}

function usePgRestore(url: string, file: string): string {
  return `Restore a PostgreSQL database with its own tool: pg_restore --no-owner --dbname='${withoutPassword(url)}' '${file}'.`;
}
