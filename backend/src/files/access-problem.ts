import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Endings of the files that SQLite and this program create next to a database. */
const COMPANIONS = ['', '-wal', '-shm', '-lock'];

/**
 * Returns the reason why this process cannot write a database file and its companions, with a solution for the
 * operator. Returns null if it can write all of them.
 */
export function accessProblem(path: string): string | null {
  const problem = folderProblem(dirname(resolve(path)), basename(path));
  if (problem) return problem;
  const files = COMPANIONS.map((ending) => path + ending).filter((file) => existsSync(file));
  const problems = files.map((file) => problemWith(file, 'file', constants.R_OK | constants.W_OK, chown(file)));
  return problems.find((found) => found !== null) ?? null;
}

/**
 * Returns the reason why this process cannot create files in a folder, with a solution for the operator. Returns null
 * if it can create files.
 *
 * @param database name of the database in the folder, or an empty string
 */
export function folderProblem(folder: string, database = ''): string | null {
  if (existsSync(folder)) {
    const solution = belongsTo(database, folder) ? chown(folder) : `use another folder, such as ${ownFolder(folder)}`;
    return problemWith(folder, 'folder', constants.W_OK | constants.X_OK, solution);
  }
  const existing = existingParent(folder);
  // The folder above a missing one usually belongs to the whole system. It must keep its owner.
  const solution = `create the missing folder with: install -d -o ${user()} ${folder}`;
  return problemWith(existing, 'folder', constants.W_OK | constants.X_OK, solution);
}

/** True if the folder contains only files of the database. A folder with other files must keep its owner. */
function belongsTo(database: string, folder: string): boolean {
  try {
    const names = readdirSync(folder).filter((name) => name !== 'lost+found');
    return names.every((name) => database !== '' && name.startsWith(database));
  } catch {
    return false;
  }
}

function ownFolder(folder: string): string {
  const path = join(folder, 'terse');
  return `${path}, which you can create with: install -d -o ${user()} ${path}`;
}

/** Returns the closest parent that exists. */
function existingParent(folder: string): string {
  const parent = dirname(folder);
  return existsSync(parent) || parent === folder ? parent : existingParent(parent);
}

function problemWith(path: string, kind: 'file' | 'folder', mode: number, solution: string): string | null {
  try {
    accessSync(path, mode);
    return null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EROFS') return `the ${kind} ${path} is on a read-only file system; mount it with write access`;
    if (code !== 'EACCES' && code !== 'EPERM') return null;
    return `the user with the ID ${user()} cannot write to the ${kind} ${path}; ${solution}`;
  }
}

function chown(path: string): string {
  return `change its owner with: chown -R ${user()} ${path}`;
}

function user(): number | string {
  return process.getuid?.() ?? '';
}
