import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Endings of the files that SQLite and this program create next to a database. */
const COMPANIONS = ['', '-wal', '-shm', '-lock'];

/**
 * Returns the reason why this process cannot write a database file and its companions, with a solution for the
 * operator. Returns null if it can write all of them.
 */
export function accessProblem(path: string): string | null {
  const folder = dirname(resolve(path));
  const existing = existingFolder(folder);
  const files = COMPANIONS.map((ending) => path + ending).filter(existsSync);
  const problems = [
    problemWith(existing, 'folder', constants.W_OK | constants.X_OK, existing === folder ? null : folder),
    ...files.map((file) => problemWith(file, 'file', constants.R_OK | constants.W_OK)),
  ];
  return problems.find((problem) => problem !== null) ?? null;
}

/** Returns the reason why this process cannot create files in a folder, or null if it can. */
export function folderProblem(folder: string): string | null {
  return problemWith(folder, 'folder', constants.W_OK | constants.X_OK);
}

/** Returns the closest parent that exists, because a missing folder is created in it. */
function existingFolder(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : existingFolder(dirname(folder));
}

/** @param missing folder that is to be created in the folder `path` */
function problemWith(
  path: string,
  kind: 'file' | 'folder',
  mode: number,
  missing: string | null = null,
): string | null {
  try {
    accessSync(path, mode);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EROFS') return `the ${kind} ${path} is on a read-only file system; mount it with write access`;
    if (code !== 'EACCES' && code !== 'EPERM') return null;
    const user = process.getuid?.() ?? '';
    // The folder above a missing one, such as /, usually belongs to the whole system. It must keep its owner.
    const solution = missing
      ? `create the missing folder with: install -d -o ${user} ${missing}`
      : `change its owner with: chown -R ${user} ${path}`;
    return `the user with the ID ${user} cannot write to the ${kind} ${path}; ${solution}`;
  }
}
