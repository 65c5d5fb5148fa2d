import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { folderProblem } from './access-problem.ts';

/** Thrown if a file cannot be created. The message is shown to the operator. */
export class FileError extends Error {
  override name = 'FileError';
}

/**
 * Creates a file completely or not at all. Never overwrites a file. Once this function returns, the file is saved on
 * disk, and only its owner can read it.
 *
 * @param write writes the content to a temporary path in the same folder
 * @throws FileError if the file exists, its folder does not exist, or the disk is full
 */
export async function createFile(
  path: string,
  now: number,
  write: (temporary: string) => Promise<void>,
): Promise<void> {
  if (existsSync(path)) throw fileExists(path);
  const folder = dirname(path);
  const temporaryFolder = createTemporaryFolder(folder, now);
  try {
    const temporary = join(temporaryFolder, 'terse.db');
    await write(temporary);
    flush(temporary);
    giveName(temporary, path);
    flush(folder);
  } catch (error) {
    throw explain(path, error);
  } finally {
    rmSync(temporaryFolder, { recursive: true });
  }
}

/** Start of the names of temporary folders. */
const TEMPORARY_PREFIX = '.terse-unfinished-';

/** Age after which a temporary folder belongs to a process that was killed, in milliseconds. */
const ABANDONED_AFTER = 86_400_000;

function createTemporaryFolder(parent: string, now: number): string {
  let folder: string | null = null;
  try {
    removeAbandoned(parent, now);
    folder = mkdtempSync(join(parent, TEMPORARY_PREFIX));
    // Writes a test file. If the disk is full, the operating system reports a clear error here. SQLite would report
    // only a "disk I/O error".
    writeFileSync(join(folder, 'probe'), 'probe');
    return folder;
  } catch (error) {
    if (folder) rmSync(folder, { recursive: true });
    const reason = folderProblem(parent) ?? (error as Error).message;
    throw new FileError(`No file can be created in ${parent}: ${reason}.`, { cause: error });
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

/** Errors of `link` on file systems without hard links, such as FAT. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'ENOSYS', 'EOPNOTSUPP'];

/** Gives the finished file its name. Unlike a rename, a hard link never overwrites a file. */
function giveName(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || existsSync(path)) throw fileExists(path);
    if (!NO_LINKS.includes(code)) throw error;
    renameSync(temporary, path);
  }
}

/** Converts an error of the operating system or of SQLite to a FileError. Returns any other error unchanged. */
function explain(path: string, error: unknown): unknown {
  const { syscall, errcode, message } = error as NodeJS.ErrnoException & { errcode?: number };
  if (syscall === undefined && errcode === undefined) return error;
  return new FileError(`${path} cannot be written: ${message}.`, { cause: error });
}

function fileExists(path: string): FileError {
  return new FileError(`${path} already exists. It is not overwritten.`);
}

/** Flushes the content of a file, or the list of files in a folder, to the disk. */
function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Creates a folder and its missing parents, and flushes them to the disk. Only the user who runs the process can
 * access the new folders. Node's `recursive` option is not used, because it never returns for some paths, such as
 * paths below /proc.
 *
 * @throws the error of the operating system
 */
export function makeFolder(folder: string): void {
  const exists = () => statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (exists()) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created the folder first.
    if (!exists()) throw error;
  }
  try {
    flush(parent);
  } catch {
    // This process may have no permission to read the folder. Without flushing, a power failure could delete new files.
  }
}
