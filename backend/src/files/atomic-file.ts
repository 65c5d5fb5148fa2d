import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeOwnedFolder, type OwnedFolder, removeAbandoned, removeOwnedFolder } from './file-lock.ts';

/** A file cannot be created. The message is for the operator. */
export class FileError extends Error {
  override name = 'FileError';
}

/**
 * Creates a file completely or not at all, and never overwrites one. The file is on disk when this returns, and only its
 * owner can read it.
 *
 * @param write writes the content under a temporary name in the same folder
 * @throws FileError if the file exists, its folder does not exist, or the disk is full
 */
export async function createFile(path: string, write: (temporary: string) => Promise<void>): Promise<void> {
  if (existsSync(path)) throw fileExists(path);
  const folder = dirname(path);
  const temporaryFolder = createTemporaryFolder(folder);
  try {
    const temporary = join(temporaryFolder.folder, 'terse.db');
    await write(temporary);
    flush(temporary);
    reserveName(path);
    renameSync(temporary, path);
    flush(folder);
  } catch (error) {
    throw explain(path, error);
  } finally {
    removeOwnedFolder(temporaryFolder);
  }
}

const TEMPORARY_PREFIX = '.terse-';

function createTemporaryFolder(folder: string): OwnedFolder {
  let temporaryFolder: OwnedFolder | null = null;
  try {
    // A process that was killed may have left such a folder.
    removeAbandoned(folder, TEMPORARY_PREFIX);
    temporaryFolder = makeOwnedFolder(folder, TEMPORARY_PREFIX + randomBytes(6).toString('hex'));
    // If the disk is full, this fails with a clear reason. SQLite would report only a "disk I/O error".
    writeFileSync(join(temporaryFolder.folder, 'probe'), 'probe');
    return temporaryFolder;
  } catch (error) {
    if (temporaryFolder) removeOwnedFolder(temporaryFolder);
    throw new FileError(`No file can be created in ${folder}: ${(error as Error).message}.`, { cause: error });
  }
}

/** Returns a FileError for an error of the system or of SQLite, and any other error unchanged. */
function explain(path: string, error: unknown): unknown {
  const { syscall, errcode, message } = error as NodeJS.ErrnoException & { errcode?: number };
  if (syscall === undefined && errcode === undefined) return error;
  return new FileError(`${path} cannot be written: ${message}.`, { cause: error });
}

/** Creates an empty file. A rename alone would silently replace a file that another process has created meanwhile. */
function reserveName(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw fileExists(path);
  }
}

function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

function fileExists(path: string): FileError {
  return new FileError(`${path} already exists. It is not overwritten.`);
}

/**
 * Creates a folder and its missing parents, for their owner only. Node's `recursive` option never returns if a parent
 * cannot contain folders, such as /proc.
 *
 * @throws the error of the system
 */
export function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
