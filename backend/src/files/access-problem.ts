import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';

/** Endings of the files that SQLite and this program create next to a database. */
const COMPANIONS = ['', '-wal', '-shm', '-lock'];

/** Returns the reason why this process cannot write a database file and its companions. Null if it can. */
export function accessProblem(path: string): string | null {
  const files = COMPANIONS.map((ending) => path + ending).filter((file) => existsSync(file));
  const problems = files.map((file) => problemWith('file', file, constants.R_OK | constants.W_OK));
  return folderProblem(dirname(path)) ?? problems.find((found) => found !== null) ?? null;
}

/** Returns the reason why this process cannot create files in a folder, or cannot create the folder. Null if it can. */
export function folderProblem(folder: string): string | null {
  const parent = dirname(folder);
  if (!existsSync(folder) && parent !== folder) return folderProblem(parent);
  return problemWith('folder', folder, constants.W_OK | constants.X_OK);
}

function problemWith(kind: 'file' | 'folder', path: string, mode: number): string | null {
  try {
    accessSync(path, mode);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EROFS') return `the ${kind} ${path} is on a read-only file system; mount it with write access`;
    if (code !== 'EACCES' && code !== 'EPERM') return null;
    return `the user with the ID ${process.getuid?.()} cannot write to the ${kind} ${path}`;
  }
}
