import { closeSync, copyFileSync, existsSync, openSync, readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { linkJournals } from '../clicks/journal-backup.ts';
import { formerDirectory } from '../clicks/journal-files.ts';
import { journalDirectoryOf } from '../clicks/start-click-counting.ts';
import type { Config } from '../config/environment.ts';
import { createFile, makeFolder } from '../files/atomic-file.ts';
import { nameDatabase, withoutPassword } from '../store/existing-database.ts';
import { StoreError } from '../store/interface/store.ts';
import { openStore } from '../store/open-store.ts';
import { checkBackup, finishCopy, identityOf, snapshot } from '../store/sqlite/backup-copy.ts';
import { refuseSecondName } from '../store/sqlite/sqlite-connection.ts';

type BackupSettings = Pick<Config, 'database' | 'journalDirectory'>;

/**
 * Writes the whole database into one new file, including the clicks that are not counted yet. The service can run
 * meanwhile. Everything that was saved before the start of the backup is in the file.
 */
export async function backUp(config: BackupSettings, file: string, now: number): Promise<void> {
  const { database } = config;
  nameDatabase(database);
  if (database.engine === 'postgres') throw new StoreError(usePgDump(database.url, file));
  refuseSecondName(database.path);
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

/** Returns the folders that can contain uncounted clicks. A process that starts meanwhile moves clicks from the first to the second. */
function journalDirectoriesOf(config: BackupSettings): string[] {
  const directory = journalDirectoryOf(config);
  const former = formerDirectory(config, directory);
  if (former === null) return [directory];
  // That process must find the lock of this backup in the folder.
  makeFolder(directory);
  return [former, directory];
}

/** Restores a backup as the configured database, which must not exist yet. */
export async function restore(config: BackupSettings, file: string): Promise<void> {
  const { database } = config;
  nameDatabase(database);
  if (database.engine === 'postgres') throw new StoreError(usePgRestore(database.url, file));
  checkBackup(file);
  makeFolder(dirname(database.path));
  await createFile(database.path, async (temporary) => {
    refuseLeftovers(database.path, journalDirectoryOf(config));
    copyFileSync(file, temporary);
  });
}

/** Refuses files of another database, because they would be treated as part of the restored one. */
function refuseLeftovers(path: string, journals: string): void {
  const files = [`${path}-wal`, `${path}-shm`].filter(existsSync);
  // Hidden folders are not journals.
  const isJournal = (name: string) => !name.startsWith('.');
  const folders = existsSync(journals) && readdirSync(journals).some(isJournal) ? [journals] : [];
  const [first] = [...files, ...folders];
  if (first) throw new StoreError(`${first} belongs to another database. Move it to another folder first.`);
}

/** Returns the command for a dump. It omits the hashes of visitors, which must be deleted after one day. */
function usePgDump(url: string, file: string): string {
  return `Back up a PostgreSQL database with its own tool: pg_dump --format=custom --exclude-table-data='visitor*' --file='${file}' '${withoutPassword(url)}'.`;
}

function usePgRestore(url: string, file: string): string {
  return `Restore a PostgreSQL database with its own tool: pg_restore --no-owner --dbname='${withoutPassword(url)}' '${file}'.`;
}
