import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../config/environment.ts';
import { openStore, printDatabase, withoutPassword } from '../store/open-store.ts';
import {
  checkBackup,
  checkPath,
  finishCopy,
  flush,
  folderProblem,
  makeFolder,
  snapshot,
} from '../store/sqlite/database-file.ts';
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
  return `Restore a PostgreSQL database with its own tool: pg_restore --no-owner --exit-on-error --dbname='${withoutPassword(url)}' '${file}'.`;
}

/**
 * Creates a file completely or not at all. Overwrites only an empty file. Once this function returns, the file is saved
 * on disk, and only its owner can read it.
 *
 * @param write writes the content to a temporary path in the same folder
 * @throws StoreError if the file exists, its folder does not exist, or the disk is full
 */
async function createFile(path: string, now: number, write: (temporary: string) => Promise<void>): Promise<void> {
  if (existsSync(path) && !isLeftover(path)) throw fileExists(path);
  const folder = dirname(path);
  const temporaryFolder = createTemporaryFolder(folder, now);
  try {
    const temporary = join(temporaryFolder, 'terse.db');
    await write(temporary);
    chmodSync(temporary, 0o600);
    flush(temporary);
    // Fails if another process has created the file meanwhile. The rename would overwrite that file.
    if (!isLeftover(path)) closeSync(openSync(path, 'wx', 0o600));
    renameSync(temporary, path);
    flush(folder);
  } catch (error) {
    throw explain(path, error);
  } finally {
    rmSync(temporaryFolder, { recursive: true });
  }
}

/** True if a file is empty. A command that is killed just before its rename leaves such a file. */
function isLeftover(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size === 0;
}

/** Start of the names of temporary folders. */
const TEMPORARY_PREFIX = '.terse-unfinished-';

/** Age after which a temporary folder belongs to a process that was killed, in milliseconds. */
const ABANDONED_AFTER = 86_400_000;

function createTemporaryFolder(parent: string, now: number): string {
  try {
    removeAbandoned(parent, now);
    return mkdtempSync(join(parent, TEMPORARY_PREFIX));
  } catch (error) {
    const reason = folderProblem(parent) ?? (error as Error).message;
    throw new StoreError(`No file can be created in ${parent}: ${reason}.`, { cause: error });
  }
}

/** Deletes the temporary folders of killed processes, because a copy in them can contain visitor hashes. */
function removeAbandoned(parent: string, now: number): void {
  for (const name of readdirSync(parent).filter((name) => name.startsWith(TEMPORARY_PREFIX))) {
    const folder = join(parent, name);
    try {
      if (statSync(folder).mtimeMs < now - ABANDONED_AFTER) rmSync(folder, { recursive: true });
    } catch {
      // Ignores a folder that another process has just deleted, or that this process has no permission to delete.
    }
  }
}

/** Converts an error of the operating system or of SQLite to a StoreError. Returns any other error unchanged. */
function explain(path: string, error: unknown): unknown {
  const { code, syscall, errcode, message } = error as NodeJS.ErrnoException & { errcode?: number };
  if (code === 'EEXIST') return fileExists(path);
  if (syscall === undefined && errcode === undefined) return error;
  return new StoreError(`${path} cannot be written: ${message}.`, { cause: error });
}

function fileExists(path: string): StoreError {
  return new StoreError(`${path} already exists. It is not overwritten.`);
}
