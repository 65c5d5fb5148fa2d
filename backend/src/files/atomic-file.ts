import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StoreError } from '../store/interface/store.ts';
import { makeOwnedFolder, type OwnedFolder, removeAbandoned, removeOwnedFolder } from './file-lock.ts';

/**
 * Makes a file that is there whole or not at all, and that overwrites nothing: `make` writes it under another name in
 * the same folder. It is on disk when this returns. Readable by its owner alone, as everything the program makes.
 *
 * @throws StoreError where the file exists, its folder does not, or there is no room
 */
export async function makeFile(path: string, make: (unfinished: string) => Promise<void>): Promise<void> {
  if (existsSync(path)) throw taken(path);
  const folder = dirname(path);
  const workshop = makeWorkshop(folder);
  try {
    const unfinished = join(workshop.folder, 'terse.db');
    await make(unfinished);
    flush(unfinished);
    reserve(path);
    renameSync(unfinished, path);
    flush(folder);
  } catch (error) {
    throw explained(path, error);
  } finally {
    removeOwnedFolder(workshop);
  }
}

const WORKSHOP = '.terse-';

function makeWorkshop(folder: string): OwnedFolder {
  try {
    // What was killed while it made a file left it there, half made.
    removeAbandoned(folder, WORKSHOP);
    return makeOwnedFolder(folder, WORKSHOP + randomBytes(6).toString('hex'));
  } catch (error) {
    throw new StoreError(`Nothing can be written into ${folder}: ${(error as Error).message}.`, { cause: error });
  }
}

/** What the system or SQLite says in a sentence; what else is thrown as it is. */
function explained(path: string, error: unknown): unknown {
  const { syscall, errcode, message } = error as NodeJS.ErrnoException & { errcode?: number };
  if (syscall === undefined && errcode === undefined) return error;
  return new StoreError(`${path} cannot be written: ${message}.`, { cause: error });
}

/** Somebody else may have made it meanwhile, and a rename would replace it without a word. */
function reserve(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw taken(path);
  }
}

function flush(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

function taken(path: string): StoreError {
  return new StoreError(`${path} exists already. It is not overwritten.`);
}

/**
 * Makes a folder for its owner alone, with those it is in, where they are missing. Node's own `recursive` never returns
 * where a folder exists but takes no other, such as /proc.
 *
 * @throws where it cannot be made, with the system's reason
 */
export function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
