import { closeSync, copyFileSync, existsSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Config } from '../config/environment.ts';
import { createFile, makeFolder } from '../files/create-file.ts';
import { openStore, printDatabase, withoutPassword } from '../store/open-store.ts';
import { checkBackup, checkPath, finishCopy, snapshot } from '../store/sqlite/database-file.ts';
import { StoreError } from '../store/store-errors.ts';

/**
 * Writes a backup of the whole database to a new file. The service can run during the backup. The backup contains all
 * changes that were saved before the backup started. Clicks that wait to be counted are counted in the backup, so that
 * the backup contains no visitor hashes.
 */
export async function backUp({ database }: Pick<Config, 'database'>, file: string, now: number): Promise<void> {
  printDatabase(database);
  if (database.engine === 'postgres') throw new StoreError(usePgDump(database.url, file));
  checkPath(database.path);
  await createFile(file, now, async (temporary) => {
    closeSync(openSync(temporary, 'wx', 0o600));
    snapshot(database.path, temporary);
    const copy = await openStore({ engine: 'sqlite', path: temporary }, now);
    const { dropped } = await copy.clicks.count().finally(() => copy.close());
    if (dropped > 0) process.stderr.write(`${dropped} clicks on links that no longer exist are not counted\n`);
    finishCopy(temporary);
  });
}

/** Restores a backup. The database in the configuration must not exist yet. */
export async function restore({ database }: Pick<Config, 'database'>, file: string, now: number): Promise<void> {
  printDatabase(database);
  if (database.engine === 'postgres') throw new StoreError(usePgRestore(database.url, file));
  checkBackup(file);
  checkPath(database.path);
  makeFolder(dirname(database.path));
  await createFile(database.path, now, async (temporary) => {
    refuseLeftovers(database.path);
    copyFileSync(file, temporary);
  });
}

/**
 * Refuses to restore a backup if files of another database exist, because SQLite would use them together with the
 * restored database.
 */
function refuseLeftovers(path: string): void {
  const first = [`${path}-wal`, `${path}-shm`].find(existsSync);
  if (first) throw new StoreError(`${first} belongs to another database. Move it to another folder first.`);
}

/**
 * Returns instructions for backing up a PostgreSQL database. The backup must exclude visitor hashes, which must be
 * deleted after one day, and the waiting clicks, which contain such hashes.
 */
function usePgDump(url: string, file: string): string {
  return `Back up a PostgreSQL database with its own tool: pg_dump --format=custom --exclude-table-data='visitor*' --exclude-table-data=waiting_clicks --file='${file}' '${withoutPassword(url)}'.`;
}

function usePgRestore(url: string, file: string): string {
  return `Restore a PostgreSQL database with its own tool: pg_restore --no-owner --dbname='${withoutPassword(url)}' '${file}'.`;
}
